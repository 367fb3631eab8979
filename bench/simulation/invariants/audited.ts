import { auditStore } from '../../../src/engine/audit/audit-store.ts';
import type { Invariant } from './invariant.ts';

/** The audit of the product decides every past decision as it was decided, and finds nothing. */
export const auditDecidesTheSame: Invariant = async ({ town }) => {
  const { findings, status } = await auditStore(town.ports);
  if (findings.length === 0 && status !== 'clean') return [`the audit says ${status}`];
  return findings.map((finding) => JSON.stringify(finding));
};

import type { Facts, Json } from '../../kernel/event.ts';
import type { EvidencePort } from '../ports.ts';
import { isObject } from './body.ts';
import type { Findings } from './findings.ts';

/** Checks that every digest that an event names is there as bytes that have it. Each digest is read once. */
export function checkEvidence(evidence: EvidencePort, findings: Findings) {
  const seen = new Set<string>();
  return (facts: Facts, where: string): void => {
    for (const digest of digestsIn(facts)) {
      if (seen.has(digest)) continue;
      seen.add(digest);
      if (evidence.get(digest) === undefined)
        findings.broken(where, `the evidence ${digest} is missing or was changed`);
    }
  };
}

/** Evidence files of a claim, outputs of checks, the final report. */
export function digestsIn({ evidence, checks, report }: Facts): readonly string[] {
  const named = [...valuesOf(evidence, 'sha256'), ...valuesOf(checks, 'output')];
  return typeof report === 'string' ? [...named, report] : named;
}

function valuesOf(list: Json | undefined, member: string): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => (isObject(entry) ? [String(entry[member])] : []));
}

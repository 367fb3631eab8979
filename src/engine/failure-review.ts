import { sha256Hex } from '../attestation/digest.ts';
import type { Caller } from './caller.ts';
import type { Outcome } from './execute.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';
import { hardBlockReport } from './reports.ts';
import { state } from './statement.ts';

/** The failures of a blocked item, as they are shown to whoever acknowledges them, and what the word is bound to. */
export function failuresShown(handle: Handle): { readonly report: string; readonly digest: string } {
  const report = hardBlockReport(handle);
  return { report, digest: sha256Hex(report) };
}

/** Acknowledges the failures that were shown (2PC-23, 2PC-24). */
export function acknowledge(ports: Ports, caller: Caller, ref: string, digest: string): Promise<Outcome> {
  const facts = { report_sha256: digest };
  return state(ports, caller, {
    ...{ ref, name: 'ack', kind: 'failure-review', outcome: 'seen', facts, shown: digest },
  });
}

/** True where the word of a person is what the item waits for. */
export const awaitsPerson = ({ item }: Handle): boolean =>
  item.settings.acknowledge === 'user' && item.state === 'blocked';

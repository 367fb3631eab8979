import { accountability } from './accountability.ts';
import type { Caller } from './caller.ts';
import { EngineError } from './engine-error.ts';
import type { Outcome } from './execute.ts';
import { loadItem } from './handle.ts';
import type { Ports } from './ports.ts';
import { state } from './statement.ts';

/** The quality verdict on a verified item (2PC-71). Throws BAD_INPUT for a rejection that found nothing. */
export async function giveQuality(
  ports: Ports,
  caller: Caller,
  ref: string,
  outcome: 'APPROVED' | 'REJECTED',
  findings: readonly string[],
): Promise<Outcome> {
  if (outcome === 'REJECTED' && findings.length === 0) {
    const hint = `countersign report ${ref} --reject --finding "…"`;
    throw new EngineError('BAD_INPUT', 'a rejection needs a finding', hint);
  }
  const facts = { findings, proofpack: accountability(await loadItem(ports, ref)).evidence };
  return state(ports, caller, { ref, name: 'report', kind: 'quality', outcome, facts, shown: '' });
}

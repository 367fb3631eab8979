import { sha256Hex } from '../attestation/digest.ts';
import { accountability } from './accountability.ts';
import type { Caller } from './caller.ts';
import { EngineError } from './engine-error.ts';
import type { Outcome } from './execute.ts';
import { type Handle, loadItem } from './handle.ts';
import type { Ports } from './ports.ts';
import { state } from './statement.ts';

type Verdict = 'APPROVED' | 'REJECTED';

/** What a person reads before they give the verdict, and what their word is bound to. */
export function qualityShown(
  { id, display, item }: Handle,
  outcome: Verdict,
  findings: readonly string[],
): { readonly shown: string; readonly digest: string } {
  const told = accountability({ display, item });
  const shown = [
    `${display} ${item.title}`,
    `commit ${told.commit}, built by ${told.implemented_by}`,
    `evidence ${told.evidence}`,
    `quality ${outcome}`,
    ...findings.map((finding) => `- ${finding}`),
  ].join('\n');
  return { shown, digest: sha256Hex(`quality ${id}\n${shown}`) };
}

/** The quality verdict on a verified item (2PC-71). Throws BAD_INPUT for a rejection that found nothing. */
export async function giveQuality(
  ports: Ports,
  caller: Caller,
  ref: string,
  outcome: Verdict,
  findings: readonly string[],
): Promise<Outcome> {
  if (outcome === 'REJECTED' && findings.length === 0) {
    const hint = `countersign report ${ref} --reject --finding "…"`;
    throw new EngineError('BAD_INPUT', 'a rejection needs a finding', hint);
  }
  const handle = await loadItem(ports, ref);
  const facts = { findings, proofpack: accountability(handle).evidence };
  const { digest: shown } = qualityShown(handle, outcome, findings);
  return state(ports, caller, { ref, name: 'report', kind: 'quality', outcome, facts, shown });
}

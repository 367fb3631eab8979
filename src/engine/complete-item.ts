import { sha256Hex } from '../attestation/digest.ts';
import { ENGINE } from '../kernel/actor.ts';
import type { Command, Finding } from '../kernel/command.ts';
import { NOTHING_GATHERED } from '../kernel/command.ts';
import type { World } from '../kernel/context.ts';
import type { ItemEvent, Json } from '../kernel/event.ts';
import { latestEvidence } from '../kernel/freshness.ts';
import { probesOf } from '../kernel/guidance.ts';
import { expand } from '../kernel/protocol.ts';
import { record } from '../kernel/record.ts';
import type { Verdict } from '../kernel/verdict.ts';
import { type Accountability, accountability } from './accountability.ts';
import type { Caller } from './caller.ts';
import { execute, type Outcome, plain } from './execute.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';
import { accountabilityView } from './reports.ts';

/** What a person reads before they accept an item, and what their word is bound to. */
export function completionShown(handle: Handle): { readonly shown: string; readonly digest: string } {
  const shown = accountabilityView(handle);
  return { shown, digest: sha256Hex(`complete ${handle.id}\n${shown}`) };
}

export type CompletionOutcome = Outcome & { readonly report: Accountability };

/**
 * Accepts a verified item (2PC-20). The proof pack must be where it was put, unchanged (2PC-04); the final
 * validation report is written by the engine from the pack, and by the validator where the item asks for one (C2-04).
 */
export async function completeItem(
  ports: Ports,
  caller: Caller,
  ref: string,
  reason: string,
): Promise<CompletionOutcome> {
  const outcome = await execute(ports, caller, {
    ...plain,
    ref,
    name: 'complete',
    reason,
    confirms: (handle) => completionShown(handle).digest,
    gather: (handle) => {
      const finding = packFinding(ports, handle);
      return {
        ...NOTHING_GATHERED,
        probes: { 'proof-pack': finding },
        facts: { proof_pack: { ...finding } as Json },
      };
    },
    evidence: (handle, world, command) => finalReport(ports, handle, world, command),
  });
  return { ...outcome, report: accountability(outcome.handle) };
}

const FROM_A_COPY = 'restore it from a copy';

/**
 * What is left where there is no copy of a lost proof pack: the verdict cannot be given again. A task whose table leads back
 * to its work goes there; else something takes its place, which may show the same work where a person puts it there.
 */
export function withoutPack(
  { display, protocol, item }: Handle,
  missing: readonly Pick<Verdict, 'fix'>[],
): readonly string[] {
  const outcome = latestEvidence(item, 'quality')?.outcome;
  // What quality rejected has its follow-up.
  if (!missing.some(({ fix }) => fix === FROM_A_COPY) || outcome === 'REJECTED') return [];
  const isHere = (states: readonly string[]) => expand(protocol, states).includes(item.state);
  const reason = 'its proof pack is lost';
  const back = protocol.rows.find(
    ({ command, from }) => protocol.gates.some(({ fail }) => fail === command) && isHere(from),
  );
  const owner = protocol.states[item.state]?.owner ?? '';
  const rejecting = protocol.evidence.find(({ kind, in: states }) => kind === 'quality' && isHere(states));
  const ways = [
    ...(back === undefined
      ? [`a person runs: countersign protocol migrate ${display} --reason "${reason}"`]
      : [
          `${back.by.map((role) => (role === '@owner' ? owner : role)).join(' or ')} says: countersign move ${display} ${back.command} --reason "${reason}"`,
        ]),
    // Approved, nobody can reject it any more.
    ...(rejecting === undefined || outcome !== undefined
      ? []
      : [
          `${rejecting.by.join(' or ')} says: countersign report ${display} --reject --finding "${reason}"; then, for work that is new, countersign follow-up ${display} "TITLE"`,
        ]),
  ];
  return ways.map((way) => `where there is no copy, ${way}`);
}

/** It waits for nothing but its proof pack, which is lost: as it is, it can never be completed. */
export const isStuckWithoutPack = (ports: Pick<Ports, 'files'>, handle: Handle): boolean =>
  handle.protocol.rows.some(
    ({ from, requires }) =>
      expand(handle.protocol, from).includes(handle.item.state) &&
      requires.flatMap(probesOf).includes('proof-pack'),
  ) && packFinding(ports, handle).status === 'unsatisfied';

/** Whether the files of the proof pack are there and are the ones that were recorded. */
export function packFinding(ports: Pick<Ports, 'files'>, { item }: Handle): Finding {
  const facts = latestEvidence(item, 'proof-pack')?.facts;
  if (facts === undefined)
    return { status: 'unsatisfied', because: 'there is no proof pack', fix: 'have it verified' };
  const wrong: string[] = [];
  for (const name of ['proofpack', 'signed']) {
    const path = String(facts[name]);
    const bytes = ports.files.read(path);
    if (bytes === undefined) wrong.push(`${path} is missing`);
    else if (sha256Hex(bytes) !== facts[`${name}_sha256`]) wrong.push(`${path} was changed`);
  }
  if (wrong.length === 0)
    return { status: 'satisfied', because: 'the proof pack is there, unchanged', fix: '' };
  return { status: 'unsatisfied', because: wrong.join('; '), fix: FROM_A_COPY };
}

function finalReport(ports: Ports, handle: Handle, world: World, command: Command): readonly ItemEvent[] {
  const quality = latestEvidence(handle.item, 'quality');
  const report = {
    schema: 'countersign/final-report/1',
    ...accountability(handle),
    quality: quality === undefined ? 'not asked for' : quality.outcome,
  };
  const facts = { report: ports.evidence.put(Buffer.from(`${JSON.stringify(report, null, 2)}\n`)) };
  const finding = { kind: 'final-report', outcome: 'WRITTEN', facts, asker: command.actor };
  const recorded = record(
    handle.protocol,
    handle.item,
    { ...command, actor: ENGINE, proof: undefined },
    finding,
    world,
  );
  // Outside 'verified' the report has no place; the table's own refusal then says why.
  return recorded.kind === 'accepted' ? recorded.events : [];
}

import { canonicalize } from '../attestation/canonical.ts';
import { sha256Hex } from '../attestation/digest.ts';
import { related } from '../kernel/actor.ts';
import { actorOf } from '../kernel/context.ts';
import { criteriaCommit } from './base.ts';
import type { Caller } from './caller.ts';
import {
  ADOPTIONS,
  adoptionOf,
  criteriaFor,
  criteriaPath,
  criteriaText,
  type FrozenCriteria,
} from './criteria.ts';
import { commitNamed } from './criteria-files.ts';
import { readCriteria } from './criteria-read.ts';
import { draft } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { claimStep } from './gates.ts';
import { type Handle, itemStream, loadItem } from './handle.ts';
import { nowOf, type Ports } from './ports.ts';
import { useProof } from './proof.ts';
import { stillStands } from './standing.ts';
import { bodyOf, eventOf } from './stored.ts';
import { readWorld } from './world.ts';

/** New criteria for one item, with what they replace; `digest` of the whole is what a person confirms. */
export interface Amendment {
  readonly handle: Handle;
  readonly before: FrozenCriteria | undefined;
  readonly after: FrozenCriteria;
  readonly texts: { readonly before: string; readonly after: string };
  /** Hex SHA-256 over item, old and new criteria. */
  readonly digest: string;
}

/** It names the criteria and no path: what holds for one item is no adoption for all of them. */
interface CriteriaAmended {
  readonly type: 'criteria-amended';
  readonly at: string;
  readonly by: string;
  readonly item: string;
  readonly criteria: string;
  readonly digest: string;
  readonly commit: string;
  /** Digest and commit of what judged the item until then; '' where there was nothing. */
  readonly old_digest: string;
  readonly old_commit: string;
  readonly reason: string;
  readonly proof: string;
}

/** The criteria that an item was given by its latest amendment; undefined where there is none. */
export async function amendedCriteria(
  ports: Pick<Ports, 'store'>,
  item: string,
): Promise<FrozenCriteria | undefined> {
  const all = (await ports.store.read(ADOPTIONS)).map((e) => eventOf<CriteriaAmended>(e));
  const latest = all.findLast((e) => e.type === 'criteria-amended' && e.item === item);
  return latest === undefined
    ? undefined
    : { path: criteriaPath(latest.criteria), digest: latest.digest, commit: latest.commit };
}

/**
 * What an amendment would change. Throws NOT_FOUND; BAD_INPUT where the item goes by other criteria, where nothing
 * would change, and while a claim or a verdict stands: what has been claimed is judged by what it was claimed under.
 */
export async function amendmentOf(ports: Ports, ref: string, name: string, from: string): Promise<Amendment> {
  const handle = await loadItem(ports, ref);
  assertOpen(handle);
  const own = String(handle.item.facts.criteria ?? 'default');
  if (own !== name)
    throw new EngineError('BAD_INPUT', `${handle.display} is judged by the criteria ${own}, not ${name}`);
  const { text, ...after } = adoptionOf(ports, name, await commitNamed(ports, from));
  const before = await inForce(ports, handle, name);
  if (before?.digest === after.digest)
    throw new EngineError('BAD_INPUT', `${handle.display} is judged by exactly these criteria already`);
  const old = before === undefined ? '' : criteriaText(ports, before).toString('utf8');
  const digest = sha256Hex(canonicalize({ item: handle.id, before: before?.digest ?? '', ...after }));
  return { handle, before, after, texts: { before: old, after: text }, digest };
}

const OPEN: readonly string[] = ['QUEUED', 'WORKING', 'REWORK'];

function assertOpen({ display, protocol, item }: Handle): void {
  const category = protocol.states[item.state]?.category ?? '';
  if (OPEN.includes(category)) return;
  const waits = category === 'SUBMITTED' || category === 'CHECKING';
  throw new EngineError(
    'BAD_INPUT',
    `${display} is ${item.state}: what has been claimed is judged by the criteria it was claimed under`,
    waits
      ? `have it judged first: countersign verify ${display}`
      : 'open another item for what is still to do',
  );
}

/** Amended before, else frozen at the last claim, else those of the commit that the item began with. */
async function inForce(ports: Ports, handle: Handle, name: string): Promise<FrozenCriteria | undefined> {
  const { id, item } = handle;
  const amended = await amendedCriteria(ports, id);
  if (amended !== undefined) return amended;
  const claimed = claimStep(item)?.facts.criteria;
  if (claimed !== undefined && claimed !== null) return claimed as unknown as FrozenCriteria;
  const started = item.steps.findLast((s) => typeof s.facts.base === 'string')?.facts.base;
  const opened = String(item.facts.default_head ?? '') || (await commitNamed(ports, ''));
  const began = started === undefined ? opened : criteriaCommit(ports, handle, String(started));
  return began === '' ? undefined : criteriaFor(ports, name, began);
}

/**
 * Gives an item new criteria for its next claim, by a person at a terminal who built nothing of it. Old and new digest
 * stay in the log. Throws NO_CREDENTIAL; BAD_INPUT for criteria that cannot be used, and where the item has moved on meanwhile.
 */
export async function amendCriteria(
  ports: Ports,
  caller: Caller,
  amendment: Amendment,
  reason: string,
): Promise<void> {
  const { handle, before, after, digest } = amendment;
  const { proof } = caller;
  if (proof === undefined || proof.digest !== digest)
    throw new EngineError(
      'NO_CREDENTIAL',
      'Only a person may amend criteria, at a terminal',
      'run it in a terminal',
    );
  await stillStands(ports, caller);
  await assertNoBuilder(ports, caller, handle);
  const text = criteriaText(ports, after);
  const { problems } = await readCriteria(ports, text, after.path);
  if (problems.length > 0) throw new EngineError('BAD_INPUT', `${after.path}: ${problems.join('; ')}`);
  ports.evidence.put(text);
  const at = nowOf(ports);
  const event: CriteriaAmended = {
    type: 'criteria-amended',
    at,
    by: caller.actor.id,
    item: handle.id,
    criteria: String(handle.item.facts.criteria ?? 'default'),
    digest: after.digest,
    commit: after.commit,
    old_digest: before?.digest ?? '',
    old_commit: before?.commit ?? '',
    reason,
    proof: proof.id,
  };
  const write = draft(ports.newId(), at);
  useProof(write, proof);
  const result = await ports.store.commit({
    commandId: write.commandId,
    appends: [
      { stream: ADOPTIONS, expected: 'any', bodies: [bodyOf(event, write.commandId)] },
      ...write.documents,
    ],
    readSet: [{ stream: itemStream(handle.id), version: handle.item.version }],
    items: [],
    links: [],
    jobs: [],
    fences: [],
  });
  if (result.kind === 'conflict')
    throw new EngineError(
      'BAD_INPUT',
      `${handle.display} has changed meanwhile`,
      'look at it and amend again',
    );
}

/** Throws NO_CREDENTIAL for whoever built any part of the item, or is of their lineage. */
export async function assertNoBuilder(ports: Ports, { actor }: Caller, handle: Handle): Promise<void> {
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const builders = (handle.item.marks.builder ?? []).map((id) => actorOf(world, id));
  if (!builders.some((builder) => related(builder, actor))) return;
  throw new EngineError(
    'NO_CREDENTIAL',
    `${actor.id} built ${handle.display}: whoever builds does not choose what it is judged by`,
    'ask another person',
  );
}

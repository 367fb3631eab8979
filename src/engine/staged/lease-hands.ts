import { join } from 'node:path';
import { sha256Hex } from '../../attestation/digest.ts';
import type { HumanProof } from '../../kernel/command.ts';
import type { Append } from '../../store/store.ts';
import { appending } from '../appending.ts';
import type { Caller } from '../caller.ts';
import { readConfig } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import { isRunName } from '../phases/run-name.ts';
import { nowOf, type Ports } from '../ports.ts';
import { proofUse } from '../proof.ts';
import { stillStands } from '../standing.ts';
import { bodyOf } from '../stored.ts';
import { assertCoordinates } from './coordinates.ts';
import { tasksFolder } from './layout.ts';
import {
  assertSession,
  type Beaten,
  foreign,
  type Holder,
  MAIN_LEASE,
  type Released,
  readLease,
  shortOf,
  shown,
  taking,
} from './leases.ts';
import { mainHead } from './main-head.ts';
import { stagedSettings } from './settings.ts';

export type Taking = { readonly kind: 'taken' | 'own' | 'held'; readonly holder: Holder };

const ROUNDS = 20;

/** Takes a lease where nobody holds it. One of many who race for it gets it. */
export async function takeLease(
  ports: Ports,
  { actor }: Caller,
  asked: { readonly stream: string; readonly session: string; readonly operation: string },
): Promise<Taking> {
  assertSession(asked.session);
  // Its verdict is all that a reviewer of a phase changes.
  if (isRunName(actor.id) && actor.roles.includes('phase-reviewer'))
    throw new EngineError('NO_CREDENTIAL', `${actor.id} reviews: it holds nothing`, 'give your verdict');
  for (let round = 0; round < ROUNDS; round++) {
    const read = await readLease(ports, asked.stream);
    if (read.holder !== undefined)
      return { kind: read.holder.session === asked.session ? 'own' : 'held', holder: read.holder };
    const given = { ...asked, at: nowOf(ports), by: actor.id, item: '' };
    const { stream: _, ...rest } = given;
    const event = { ...rest, ...(await headWith(ports, asked.stream)) };
    const commandId = ports.newId();
    if (await written(ports, commandId, taking(read, event, commandId))) {
      const { holder } = await readLease(ports, asked.stream);
      if (holder !== undefined && holder.session === asked.session) {
        await projectMain(ports, asked.stream, holder);
        return { kind: 'taken', holder };
      }
    }
  }
  throw busy();
}

export interface Tell {
  readonly stream: string;
  readonly session: string;
  readonly what: 'beat' | 'release' | 'force';
  readonly reason: string;
}

/** Gives a lease back, or shows that its holder is there. Throws NO_CREDENTIAL for whoever does not hold it, NOT_FOUND. */
export async function tellLease(ports: Ports, caller: Caller, asked: Tell): Promise<Holder> {
  const { proof } = caller;
  for (let round = 0; round < ROUNDS; round++) {
    const read = await readLease(ports, asked.stream);
    const { holder } = read;
    if (holder === undefined) throw new EngineError('NOT_FOUND', `nobody holds ${shown(asked.stream)}`);
    assertMay(caller, holder, asked);
    // Whoever gives back what they hold may do so to the last.
    if (asked.what === 'force') await stillStands(ports, caller);
    const commandId = ports.newId();
    const event = eventFor(caller, holder, asked, nowOf(ports), await headWith(ports, asked.stream));
    const append = { stream: asked.stream, expected: read.version, bodies: [bodyOf(event, commandId)] };
    const used = asked.what === 'force' && proof !== undefined ? [proofUse(proof, commandId)] : [];
    if (await written(ports, commandId, append, ...used)) {
      await projectMain(ports, asked.stream, asked.what === 'beat' ? holder : undefined);
      return holder;
    }
  }
  throw busy();
}

/** What a person is shown before a lease is taken away; their word is on this holder and no later one. */
export function forceShown(stream: string, holder: Holder, reason: string): string {
  const { session, actor, since, beat, token } = holder;
  return [
    `${shown(stream)} is held by session ${session} (${actor}) since ${since}, last seen ${beat}, for the ${token}. time.`,
    'Whoever holds it may still be at work: what it writes from now on is refused.',
    `Reason: ${reason}`,
  ].join('\n');
}

/** Whoever says something of a lease works in its session, as its holder or as somebody who may coordinate. */
function assertMay(caller: Caller, holder: Holder, asked: Tell): void {
  if (asked.what === 'force') assertPerson(caller.proof, holder, asked);
  else if (holder.session !== asked.session) throw foreign(asked.stream, holder);
  else if (holder.actor !== caller.actor.id)
    assertCoordinates(caller, `${asked.what} what ${holder.actor} holds`);
}

function assertPerson(
  proof: HumanProof | undefined,
  holder: Holder,
  { stream, reason }: { readonly stream: string; readonly reason: string },
): void {
  const digest = sha256Hex(forceShown(stream, holder, reason));
  if (proof !== undefined && proof.digest === digest) return;
  throw new EngineError(
    'NO_CREDENTIAL',
    proof === undefined ? 'only a person at a terminal takes a lease away' : 'somebody else holds it by now',
    `a person runs: countersign lease force ${shortOf(stream)} --reason TEXT`,
  );
}

async function written(ports: Ports, commandId: string, ...appends: readonly Append[]): Promise<boolean> {
  const result = await ports.store.commit(appending(commandId, ...appends));
  return result.kind !== 'conflict' && result.kind !== 'fenced';
}

const busy = () =>
  new EngineError('BUSY', 'other writers kept changing the lease; nothing was written', 'try again');

function eventFor(
  { actor, proof }: Caller,
  holder: Holder,
  { what, reason }: Tell,
  at: string,
  head: { readonly head?: string },
): Beaten | Released {
  const by = { at, by: actor.id, session: holder.session };
  if (what === 'beat') return { type: 'lease-beaten', ...by };
  const forced = what === 'force';
  return { type: 'lease-released', ...by, reason, forced, proof: forced ? (proof?.id ?? '') : '', ...head };
}

/** Where the main branch stands as the main worktree changes hands (PROTO-78). */
const headWith = async (ports: Ports, stream: string): Promise<{ readonly head?: string }> =>
  stream === MAIN_LEASE ? { head: await mainHead(ports) } : {};

/** The main lease as the file of the seed, for whoever reads it; it is never read back (PROTO-71, PROTO-303). */
async function projectMain(ports: Ports, stream: string, holder: Holder | undefined): Promise<void> {
  if (stream !== MAIN_LEASE) return;
  const { workspace } = ports;
  const path = join(tasksFolder(workspace.main, stagedSettings(await readConfig(ports))), 'main/task.json');
  if (holder === undefined) {
    workspace.removeFile(path);
    return;
  }
  const file = {
    session_id: holder.session,
    task_name: 'main-worktree-operation',
    operation_type: holder.operation,
    state: 'IN_PROGRESS',
    created_at: holder.since,
  };
  workspace.writeFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

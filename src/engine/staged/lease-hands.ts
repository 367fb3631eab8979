import { sha256Hex } from '../../attestation/digest.ts';
import type { HumanProof } from '../../kernel/command.ts';
import type { Append } from '../../store/store.ts';
import { appending } from '../appending.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { nowOf, type Ports } from '../ports.ts';
import { proofUse } from '../proof.ts';
import { bodyOf } from '../stored.ts';
import {
  assertSession,
  type Beaten,
  foreign,
  type Holder,
  type Released,
  readLease,
  shortOf,
  shown,
  taking,
} from './leases.ts';

export type Taking = { readonly kind: 'taken' | 'own' | 'held'; readonly holder: Holder };

const ROUNDS = 20;

/** Takes a lease where nobody holds it. One of many who race for it gets it. */
export async function takeLease(
  ports: Ports,
  { actor }: Caller,
  asked: { readonly stream: string; readonly session: string; readonly operation: string },
): Promise<Taking> {
  assertSession(asked.session);
  for (let round = 0; round < ROUNDS; round++) {
    const read = await readLease(ports, asked.stream);
    if (read.holder !== undefined)
      return { kind: read.holder.session === asked.session ? 'own' : 'held', holder: read.holder };
    const given = { ...asked, at: nowOf(ports), by: actor.id, item: '' };
    const { stream: _, ...event } = given;
    const commandId = ports.newId();
    if (await written(ports, commandId, taking(read, event, commandId))) {
      const { holder } = await readLease(ports, asked.stream);
      if (holder !== undefined && holder.session === asked.session) return { kind: 'taken', holder };
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
    if (asked.what === 'force') assertPerson(proof, holder, asked);
    else if (holder.session !== asked.session) throw foreign(asked.stream, holder);
    const commandId = ports.newId();
    const event = eventFor(caller, holder, asked, nowOf(ports));
    const append = { stream: asked.stream, expected: read.version, bodies: [bodyOf(event, commandId)] };
    const used = asked.what === 'force' && proof !== undefined ? [proofUse(proof, commandId)] : [];
    if (await written(ports, commandId, append, ...used)) return holder;
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
): Beaten | Released {
  const by = { at, by: actor.id, session: holder.session };
  if (what === 'beat') return { type: 'lease-beaten', ...by };
  const forced = what === 'force';
  return { type: 'lease-released', ...by, reason, forced, proof: forced ? (proof?.id ?? '') : '' };
}

import type { Command } from '../kernel/command.ts';
import { mayTake, type Refused } from '../kernel/decide.ts';
import type { Facts } from '../kernel/event.ts';
import { record } from '../kernel/record.ts';
import type { Caller } from './caller.ts';
import { type Outcome, plain, walk } from './execute.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';

/** What somebody says about a claim: who may, and where they must stand, is the protocol's to say. */
export interface Voice {
  readonly ref: string;
  /** The command, under which a refusal is recorded. */
  readonly name: string;
  readonly kind: 'sign-off' | 'review' | 'approval' | 'waiver';
  readonly outcome: string;
  /** Commit of the claim that was shown. */
  readonly commit: string;
  /** Digest of what was shown; a person's proof is bound to it. */
  readonly digest: string;
  readonly facts: Facts;
}

/**
 * Records what an actor says of the claimed commit. A person counts only with a proof from the terminal: otherwise
 * nothing shows that it was not the builder who typed. What is said of another claim than the present one is refused.
 */
export function speak(ports: Ports, caller: Caller, voice: Voice): Promise<Outcome> {
  const { ref, name, kind, outcome, digest, facts } = voice;
  return walk(ports, caller, {
    ...plain,
    ref,
    name,
    confirms: () => digest,
    decide: (handle, world, command) => {
      const said = { ...facts, digest, role: roleOf(handle, command, kind) };
      const finding = { kind, outcome, facts: said, asker: caller.actor };
      const decided = record(handle.protocol, handle.item, command, finding, world);
      if (decided.kind === 'refused' && decided.code === 'no-transition') return decided;
      if (caller.actor.kind === 'human' && caller.proof === undefined) return NOT_PROVEN;
      return outdated(handle, voice) ?? decided;
    },
  });
}

/** The first of the roles that may say it, in the order of the table; 'human' for a person who holds none of them. */
function roleOf(
  { protocol, item }: Handle,
  { actor, proof }: Pick<Command, 'actor' | 'proof'>,
  kind: string,
): string {
  const roles = protocol.evidence.filter((row) => row.kind === kind).flatMap((row) => row.by);
  return roles.find((role) => mayTake(protocol, [role], item.state, { actor, proof })) ?? '';
}

function outdated({ item, display }: Handle, { commit }: Voice): Refused | undefined {
  const present = item.subjects.commit?.digest ?? '';
  if (present === '') {
    const nothing = `nothing of ${display} is claimed yet: there is nothing to say a word about`;
    return { kind: 'refused', code: 'gate-closed', because: nothing, verdicts: [] };
  }
  if (present === commit) return undefined;
  const because = `${display} was claimed anew: what was shown is not what is claimed now`;
  return { kind: 'refused', code: 'gate-closed', because, verdicts: [] };
}

const NOT_PROVEN: Refused = {
  kind: 'refused',
  code: 'wrong-role',
  because: 'a person says this at a terminal',
  verdicts: [],
};

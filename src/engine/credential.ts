import { actorFrom } from '../identity/roster.ts';
import { authenticate } from '../identity/tokens.ts';
import type { Caller } from './caller.ts';
import type { Opened } from './composition.ts';
import { EngineError } from './engine-error.ts';
import { nowOf } from './ports.ts';
import { readRoster } from './roster.ts';

/**
 * Who calls. An agent is known by its token; a name alone makes nobody (CX-17). Without a name it is the person
 * whose machine this is: at the cooperative level nothing proves that, so a person adds independence only through
 * the human channel. Throws NO_CREDENTIAL.
 */
export async function callerOf({ ports, credentials }: Opened, name: string): Promise<Caller> {
  const { roster } = await readRoster(ports);
  const people = [...roster.members.values()].filter((m) => m.kind === 'human' && !m.retired);
  const member = name === '' ? people[0] : roster.members.get(name);
  if (member === undefined) {
    const known = [...roster.members.keys()].join(', ');
    throw new EngineError(
      'NO_CREDENTIAL',
      `there is no actor ${name || 'for you'} here`,
      `known: ${known || 'nobody'}`,
    );
  }
  if (member.kind === 'human') {
    if (member.retired) throw new EngineError('NO_CREDENTIAL', `${member.id} has left this repository`);
    credentials.vouch(member.id);
    return { actor: actorFrom(roster, member, member.roles), proof: undefined, token: undefined };
  }
  const known = authenticate(roster, credentials.read(member.id), nowOf(ports));
  if (!known.ok)
    throw new EngineError(
      'NO_CREDENTIAL',
      known.because,
      `a person runs: countersign token issue ${member.id}`,
    );
  if (known.actor.id !== member.id) {
    throw new EngineError('NO_CREDENTIAL', `the token kept for ${member.id} belongs to ${known.actor.id}`);
  }
  return { actor: known.actor, proof: undefined, token: known.token };
}

import { authenticate } from '../identity/tokens.ts';
import type { Opened } from './composition.ts';
import { EngineError } from './engine-error.ts';
import { nowOf } from './ports.ts';
import { readRoster } from './roster.ts';

/** What a client of a server shows. */
export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'passphrase'; readonly person: string; readonly passphrase: string }
  /** Nothing: only a socket that no other user can reach lets such a client in, and takes it for the person. */
  | { readonly kind: 'none' };

/** Who a client is, as its credential shows. */
export type SignedIn =
  | { readonly kind: 'agent'; readonly name: string; readonly token: string }
  | { readonly kind: 'person'; readonly name: string; readonly by: 'passphrase' | 'socket' };

/** Who calls. `own` where the connection shows that the client is of the server's own user. Throws NO_CREDENTIAL. */
export async function signIn(opened: Opened, credential: Credential, own: boolean): Promise<SignedIn> {
  const { ports, credentials } = opened;
  const { roster } = await readRoster(ports);
  const people = [...roster.members.values()].filter((m) => m.kind === 'human' && !m.retired);
  if (credential.kind === 'token') {
    const known = authenticate(roster, credential.token, nowOf(ports));
    if (known.ok) return { kind: 'agent', name: known.actor.id, token: credential.token };
    throw new EngineError('NO_CREDENTIAL', known.because, 'a person runs: countersign token issue ACTOR');
  }
  if (credential.kind === 'passphrase') {
    const { person, passphrase } = credential;
    const right = await credentials.isPassphrase(person, passphrase);
    if (right && people.some(({ id }) => id === person))
      return { kind: 'person', name: person, by: 'passphrase' };
    const hint = 'on the server: countersign actor passphrase NAME';
    throw new EngineError('NO_CREDENTIAL', 'this name and passphrase are not known here', hint);
  }
  const [first] = people;
  if (own && first !== undefined) return { kind: 'person', name: first.id, by: 'socket' };
  const hint = 'an agent shows its token, a person a name and passphrase';
  throw new EngineError('NO_CREDENTIAL', 'this server wants to know who calls', hint);
}

/** Whether a client that was let in would still be: its token holds, or it is a person of the repository. */
export async function isStillIn({ ports }: Pick<Opened, 'ports'>, who: SignedIn): Promise<boolean> {
  const { roster } = await readRoster(ports);
  if (who.kind === 'agent') return authenticate(roster, who.token, nowOf(ports)).ok;
  const member = roster.members.get(who.name);
  return member?.kind === 'human' && !member.retired;
}

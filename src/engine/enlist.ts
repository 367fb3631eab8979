import { addActor, addToken } from './actors.ts';
import type { Opened } from './composition.ts';
import { callerOf } from './credential.ts';
import { EngineError } from './engine-error.ts';
import { readRoster } from './roster.ts';

export interface Enlisted {
  readonly created: boolean;
  /** Where its token is kept. */
  readonly token: string;
}

/**
 * Registers an agent and keeps a token for it here; one that is there already keeps its roles, and its token when
 * it has one. Throws NO_CREDENTIAL or BAD_INPUT with the reason of the roster.
 */
export async function enlist(
  opened: Opened,
  name: string,
  id: string,
  roles: readonly string[],
): Promise<Enlisted> {
  const { ports, credentials } = opened;
  const caller = await callerOf(opened, name);
  const { roster } = await readRoster(ports);
  const created = !roster.members.has(id);
  if (created) {
    const added = await addActor(ports, caller, { id, kind: 'agent', roles, parent: '' });
    if (!added.ok) throw new EngineError('BAD_INPUT', added.because);
  }
  if (!created && hasToken(opened, id)) return { created, token: `${credentials.folder}/tokens/${id}` };
  const issued = await addToken(ports, caller, { actor: id, expiresAt: '', items: [], roles: [] });
  if (!issued.ok) throw new EngineError('BAD_INPUT', issued.because);
  return { created, token: credentials.write(id, issued.token) };
}

function hasToken({ credentials }: Opened, id: string): boolean {
  try {
    return credentials.read(id) !== '';
  } catch (error) {
    if (error instanceof EngineError && error.code === 'NO_CREDENTIAL') return false;
    throw error;
  }
}

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { currentKeys } from '../identity/roster.ts';
import { authenticate } from '../identity/tokens.ts';
import type { Opened } from './composition.ts';
import { type Condition, fail, ok, warn } from './condition.ts';
import { nowOf } from './ports.ts';
import { readRoster } from './roster.ts';

/** A quick look: the store opens and answers. Whether it was changed is for the audit to say. */
export async function log({ ports, driver, storePlace }: Opened): Promise<Condition> {
  const events = await ports.store.eventCount();
  const [last] = await ports.store.checkpoints(1);
  const since = events - (last?.events ?? 0);
  const told = `${events} events in ${storePlace} (${driver}); ${since} since the last signed checkpoint`;
  return ok('store', `${told}; for a full check: countersign audit verify`);
}

const MOST_FILES = 2_000;

/** State, keys and tokens are for this user alone: folders 0700, files 0600. */
export function privacy({ places, credentials }: Opened): Condition {
  const gone = [places.state, credentials.folder].filter((folder) => !existsSync(folder));
  if (gone.length > 0) {
    const says = `${gone.join(', ')} is gone, and with it the keys or tokens of this repository`;
    return fail('private files', says, 'restore it from a copy, or set XDG_STATE_HOME to where it is');
  }
  const open = [places.state, credentials.folder].flatMap((folder) => openToOthers(folder));
  if (open.length === 0) return ok('private files', 'state, keys and tokens are closed to other users');
  const shown = open.slice(0, 3).join(', ');
  return fail(
    'private files',
    `others can reach ${shown}${open.length > 3 ? ` and ${open.length - 3} more` : ''}`,
    `run: chmod -R go-rwx '${places.state}' '${credentials.folder}'`,
  );
}

/** Below a closed folder nothing is reachable; so the top decides, and then what lies directly in it. */
function openToOthers(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).slice(0, MOST_FILES);
  const paths = [folder, ...entries.filter((e) => !e.isSymbolicLink()).map((e) => join(folder, e.name))];
  return paths.filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const foreign = process.getuid !== undefined && stats !== undefined && stats.uid !== process.getuid();
    return stats !== undefined && ((stats.mode & 0o077) !== 0 || foreign);
  });
}

/** The private keys are here and are the ones that the roster trusts. */
export async function keys({ ports }: Opened): Promise<Condition> {
  const { roster } = await readRoster(ports);
  for (const purpose of ['runner', 'checkpoint'] as const) {
    const { keyid } = ports.signer(purpose);
    if (!currentKeys(roster, purpose).some((key) => key.keyid === keyid)) {
      return fail(
        'keys',
        `the ${purpose} key of this machine is not one of the repository's: what it signs is believed by nobody`,
        `restore the key file from a copy, or a person runs: countersign key renew --purpose ${purpose}`,
      );
    }
  }
  return ok('keys', 'the runner and checkpoint keys are those of the repository');
}

/** Agents without a working token cannot act. */
export async function tokens({ ports, credentials }: Opened): Promise<Condition> {
  const { roster } = await readRoster(ports);
  const agents = [...roster.members.values()].filter((m) => m.kind === 'agent' && !m.retired);
  if (!credentials.here) return ok('tokens', `${agents.length} agents, whose tokens lie with them`);
  const without = agents.filter(({ id }) => {
    try {
      return !authenticate(roster, credentials.read(id), nowOf(ports)).ok;
    } catch {
      return true;
    }
  });
  if (agents.length === 0)
    return ok('tokens', 'no agents are registered: you work alone, and verdicts are marked as automated');
  if (without.length === 0) return ok('tokens', `${agents.length} agents, each with a working token`);
  const [first] = without;
  return warn(
    'tokens',
    `no working token here for ${without.map((m) => m.id).join(', ')}`,
    `run: countersign token issue ${first?.id ?? ''}`,
  );
}

const TOLERANCE_MS = 60_000;

/** Time in the log never lies ahead of the clock. */
export async function clock({ ports }: Opened): Promise<Condition> {
  const count = await ports.store.eventCount();
  const [last] = await ports.store.events(Math.max(0, count - 1), 1);
  const now = ports.clock();
  const { at } = JSON.parse(last?.body ?? '{}') as { at?: string };
  const ahead = Date.parse(at ?? '') - now.getTime();
  if (ahead > TOLERANCE_MS) {
    return fail('clock', `the last event is of ${at}, the clock says ${now.toISOString()}`, 'set the clock');
  }
  return ok('clock', now.toISOString());
}

/** Foreign edits of what the engine wrote for others to read. */
export async function drift({ ports }: Opened): Promise<Condition> {
  const found = await ports.store.head('drift');
  if (found.version === 0) return ok('projections', 'no foreign edits were found');
  return warn(
    'projections',
    `${found.version} foreign edits of projected files were found and undone; nothing was taken from them`,
    'find out who writes there; items change by commands only',
  );
}

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../attestation/digest.ts';
import type { Told } from './surroundings.ts';

/** What a session has an item for: it builds it, or it has it verified. */
export type Part = 'build' | 'verify';

/**
 * An item that a session works on. It is a note of the hooks, nothing that is believed about the item: its state is
 * always asked of the store.
 */
export interface Binding {
  /** As people write it. */
  readonly item: string;
  readonly part: Part;
  readonly session: string;
  /** The sub-agent, '' for the main thread. */
  readonly agent: string;
}

/** States in which an item is in somebody's hands: begun, or claimed and not proved. */
export const IN_HANDS: ReadonlySet<string> = new Set(['WORKING', 'SUBMITTED', 'CHECKING']);

const FOLDER = 'sessions';
const NAME = /^([A-Z]+-\d+)\.(build|verify)$/;

/** The newest binding of an item counts: a file each, so that two that bind at once lose nothing. */
export function bind(state: string, { item, part, session, agent }: Binding): void {
  write(join(state, FOLDER, `${item}.${part}`), { session, agent });
}

export function unbind(state: string, { item, part }: Pick<Binding, 'item' | 'part'>): void {
  rmSync(join(state, FOLDER, `${item}.${part}`), { force: true });
}

/** Every binding of the repository. Empty where no session ever bound anything. */
export function bindingsIn(state: string): readonly Binding[] {
  const folder = join(state, FOLDER);
  return namesIn(folder).flatMap((name) => {
    const [, item, part] = NAME.exec(name) ?? [];
    const note = item === undefined ? undefined : read(join(folder, name));
    if (item === undefined || note === undefined) return [];
    return [{ item, part: part as Part, session: String(note.session), agent: String(note.agent) }];
  });
}

/** Whether this very session works on an item: what is closed to it then is open to everybody else. */
export const isAtWork = (state: string, session: string): boolean =>
  bindingsIn(state).some((binding) => binding.session === session);

/** How often a session was kept from ending on the same state of its items. */
export function countBlock(state: string, session: string, agent: string, standing: string): number {
  const path = join(state, FOLDER, `${nameOf(session, agent)}.blocks`);
  const before = read(path);
  const count = before?.standing === standing ? Number(before.count) + 1 : 1;
  write(path, { standing, count });
  return count;
}

const LOOKED = 'looked.json';

/** What the last look at the store found, good for as long as nothing is written to it. */
export function lookedAt(state: string, stamp: string): { readonly [item: string]: Told } | undefined {
  const note = read(join(state, FOLDER, LOOKED));
  return note?.stamp === stamp ? (note.rows as { [item: string]: Told }) : undefined;
}

export function keepLook(state: string, stamp: string, rows: { readonly [item: string]: Told }): void {
  write(join(state, FOLDER, LOOKED), { stamp, rows });
}

/** What a person was shown, until they type its code. */
export interface Shown {
  readonly digest: string;
  /** Of the code: it cannot be found from it in the time that the code holds. */
  readonly kept: string;
  readonly purpose: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tries: number;
}

const shownPath = (state: string, session: string, purpose: string) =>
  join(state, FOLDER, `${shortOf(`${session}/${purpose}`)}.shown`);

export function keepShown(state: string, session: string, shown: Shown): void {
  write(shownPath(state, session, shown.purpose), { ...shown });
}

export function shownIn(state: string, session: string, purpose: string): Shown | undefined {
  return read(shownPath(state, session, purpose)) as Shown | undefined;
}

export function dropShown(state: string, session: string, purpose: string): void {
  rmSync(shownPath(state, session, purpose), { force: true });
}

/** The two as they are where every file system takes them: loading what makes digests would double the time of an event. */
const nameOf = (session: string, agent: string) =>
  PLAIN.test(session) && PLAIN.test(agent) ? `${session}.${agent}` : shortOf(`${session}/${agent}`);

const PLAIN = /^[a-z0-9_-]{0,64}$/;

const shortOf = (text: string) => sha256Hex(text).slice(0, 32);

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** undefined for what is not there any more, or is no note of ours. */
function read(path: string): { readonly [name: string]: unknown } | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof note === 'object' && note !== null ? (note as { [name: string]: unknown }) : undefined;
  } catch {
    return undefined;
  }
}

function write(path: string, note: object): void {
  const folder = join(path, '..');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, JSON.stringify(note), { mode: 0o600 });
  renameSync(beside, path);
}

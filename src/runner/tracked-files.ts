import { lstatSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CheckResult, plainResult } from './checks/check.ts';
import type { CheckSpec } from './checks/index.ts';
import { TRACKED_FILES } from './criteria.ts';
import type { SetupResult } from './setup.ts';

/**
 * Whether a check is judged on the checkout as it was written, before anything ran there. What exists then is tracked.
 * A pin by digest is always judged there: else the work could leave the file out and have a program write it.
 */
export function isAboutTheCommit(check: CheckSpec, checkout: string): boolean {
  if (check.kind !== 'file') return false;
  if (check.sha256 !== undefined) return true;
  try {
    // The link itself counts: a tracked one may lead to what a program writes later.
    return lstatSync(join(checkout, check.path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The state of each file by path; a write shows, whatever times it sets. */
export type Footprint = ReadonlyMap<string, string>;

/** Looks at files, those of a fresh checkout unless `paths` are given, without reading any. */
export async function footprint(checkout: string, paths?: Iterable<string>): Promise<Footprint> {
  const names = paths ?? (await readdir(checkout, { recursive: true })).sort();
  const states = new Map<string, string>();
  for (const name of names) {
    const state = await stateOf(join(checkout, name));
    if (state !== undefined) states.set(name, state);
  }
  return states;
}

/**
 * The state of each file pinned by digest. A pinned file that was moved aside and put back has the right content in the
 * end; its change time tells.
 */
export async function pinnedFootprint(checkout: string, plan: readonly CheckSpec[]): Promise<Footprint> {
  const states = new Map<string, string>();
  for (const path of pinnedPaths(plan)) states.set(path, await timesOf(join(checkout, path)));
  return states;
}

const pinnedPaths = (plan: readonly CheckSpec[]) =>
  plan.flatMap((check) => (check.kind === 'file' && check.sha256 !== undefined ? [check.path] : []));

/** The pinned files which were written to since. */
export async function changedPins(checkout: string, before: Footprint): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [path, state] of before) if ((await timesOf(join(checkout, path))) !== state) changed.push(path);
  return changed;
}

/**
 * Which folder lies where: the checkout itself, the folders that lead to pinned files, and every tracked folder unless
 * the run may change what is tracked. A check that puts another folder in the place of one, for the next check to work
 * in, is seen before that next check starts, whatever is put back in the end.
 */
export async function foldersIn(
  checkout: string,
  plan: readonly CheckSpec[],
  tracked: Footprint,
  mayChange: boolean,
): Promise<Footprint> {
  const places = new Map<string, string>([['', await placeOf(checkout, false)]]);
  if (!mayChange)
    for (const [path, state] of tracked)
      if (state === FOLDER) places.set(path, await placeOf(join(checkout, path), false));
  for (const path of pinnedPaths(plan)) {
    const parts = path.split('/');
    for (let n = 1; n < parts.length; n++) {
      const folder = parts.slice(0, n).join('/');
      places.set(folder, await placeOf(join(checkout, folder), true));
    }
  }
  return places;
}

/** The folders in whose place another one lies now, or none, and those on the way to a pin that were moved meanwhile. */
export async function replacedFolders(checkout: string, before: Footprint): Promise<readonly string[]> {
  const replaced: string[] = [];
  for (const [path, place] of before) {
    const [id, entered = '', changed] = place.split('/');
    const now = (await placeOf(join(checkout, path), entered !== '')).split('/');
    // A new entry changes both times of a folder; a folder that was moved away and back keeps when it was entered last.
    const moved = entered !== '' && now[1] === entered && now[2] !== changed;
    if (now[0] !== id || moved) replaced.push(path || '.');
  }
  return replaced;
}

async function placeOf(path: string, withTimes: boolean): Promise<string> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return 'absent';
  const id = `${stat.dev} ${stat.ino} ${stat.isDirectory()}`;
  return withTimes ? `${id}/${stat.mtimeMs}/${stat.ctimeMs}` : id;
}

async function timesOf(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => undefined);
  return stat === undefined ? 'absent' : [stat.ino, stat.mode, stat.ctimeMs].join(' ');
}

/** Whether a write to any of these files shows; it need not have changed its content. */
export function writtenSince(checkout: string, before: Footprint): boolean {
  for (const [path, state] of before) if (stateNow(join(checkout, path)) !== state) return true;
  return false;
}

const FOLDER = 'folder';

/** At most five of the paths that were written, removed or replaced since, and how many more there are. */
export async function namesOfChanged(checkout: string, before: Footprint): Promise<string> {
  const changed: string[] = [];
  for (const [path, state] of before) {
    if ((await stateOf(join(checkout, path))) !== state) changed.push(JSON.stringify(path));
  }
  const more = changed.length > 5 ? `, and ${changed.length - 5} more` : '';
  return `${changed.slice(0, 5).join(', ')}${more}`;
}

const stateOf = async (path: string) => stateFrom(await lstat(path).catch(() => undefined));

/** Thousands of files are looked at before each check: one by one without a thread in between is ten times faster. */
function stateNow(path: string): string | undefined {
  try {
    return stateFrom(lstatSync(path, { throwIfNoEntry: false }));
  } catch {
    return undefined;
  }
}

function stateFrom(stat: Stats | undefined): string | undefined {
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? FOLDER : [stat.ino, stat.mode, stat.size, stat.ctimeMs].join(' ');
}

/**
 * The runner's own finding about a run that left other tracked files than it was given: a failure, unless `excuse`
 * says why the run as a whole is not to be judged.
 */
export function trackedFilesChanged(names: string, excuse: string): CheckResult {
  const explanation = `the checks changed tracked files${names === '' ? '' : `: ${names}`}`;
  return {
    ...plainResult,
    id: TRACKED_FILES,
    kind: 'tree',
    outcome: excuse === '' ? 'fail' : 'indeterminate',
    explanation: excuse === '' ? explanation : `${explanation}, and ${excuse}`,
  };
}

/** What broke off in the middle may have left anything behind: that says nothing about the work. */
export function excuseOf(setup: SetupResult, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return 'the run was aborted';
  return setup.outcome === 'indeterminate' ? 'the set-up failed' : '';
}

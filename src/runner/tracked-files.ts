import { lstatSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResult } from './checks/check.ts';
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

/** Looks at every file of a fresh checkout, without reading any. */
export async function footprint(checkout: string): Promise<Footprint> {
  const names = (await readdir(checkout, { recursive: true })).sort();
  const states = new Map<string, string>();
  for (const name of names) {
    const state = await stateOf(join(checkout, name));
    if (state !== undefined) states.set(name, state);
  }
  return states;
}

/**
 * The state of each file pinned by digest, and of the folders on the way to it. A pinned file that was moved aside and
 * put back has the right content in the end; its change time, or that of a folder that was moved with it, tells.
 */
export async function pinnedFootprint(checkout: string, plan: readonly CheckSpec[]): Promise<Footprint> {
  const states = new Map<string, string>();
  for (const check of plan) {
    if (check.kind !== 'file' || check.sha256 === undefined) continue;
    const parts = check.path.split('/');
    for (let n = 1; n <= parts.length; n++) {
      const path = parts.slice(0, n).join('/');
      states.set(path, await timesOf(join(checkout, path)));
    }
  }
  return states;
}

/** The pinned files, and folders that lead to them, which were written to since. */
export async function changedPins(checkout: string, before: Footprint): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [path, state] of before) if ((await timesOf(join(checkout, path))) !== state) changed.push(path);
  return changed;
}

async function timesOf(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => undefined);
  return stat === undefined ? 'absent' : [stat.ino, stat.mode, stat.ctimeMs].join(' ');
}

/** At most five of the paths that were written, removed or replaced since, and how many more there are. */
export async function namesOfChanged(checkout: string, before: Footprint): Promise<string> {
  const changed: string[] = [];
  for (const [path, state] of before) {
    if ((await stateOf(join(checkout, path))) !== state) changed.push(JSON.stringify(path));
  }
  const more = changed.length > 5 ? `, and ${changed.length - 5} more` : '';
  return `${changed.slice(0, 5).join(', ')}${more}`;
}

async function stateOf(path: string): Promise<string | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? 'folder' : [stat.ino, stat.mode, stat.size, stat.ctimeMs].join(' ');
}

/**
 * The runner's own finding about a run that left other tracked files than it was given: a failure, unless `excuse`
 * says why the run as a whole is not to be judged.
 */
export function trackedFilesChanged(names: string, excuse: string): CheckResult {
  const explanation = `the checks changed tracked files${names === '' ? '' : `: ${names}`}`;
  return {
    id: TRACKED_FILES,
    kind: 'tree',
    outcome: excuse === '' ? 'fail' : 'indeterminate',
    explanation: excuse === '' ? explanation : `${explanation}, and ${excuse}`,
    durationMs: 0,
    exitCode: null,
    strength: 'content',
    tests: null,
    output: Buffer.alloc(0),
    outputTruncated: false,
  };
}

/** What broke off in the middle may have left anything behind: that says nothing about the work. */
export function excuseOf(setup: SetupResult, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return 'the run was aborted';
  return setup.outcome === 'indeterminate' ? 'the set-up failed' : '';
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckResult } from './checks/check.ts';
import type { CheckSpec } from './checks/index.ts';
import type { Criteria } from './criteria.ts';
import { guardedCheck, leftOpen } from './guarded-check.ts';
import { type Isolation, probeIsolation } from './isolate.ts';
import { planChecks } from './plan.ts';
import { freshEnvironment, prepare } from './preparation.ts';
import { removeFolder } from './remove-folder.ts';
import type { SetupResult } from './setup.ts';
import { killStrays } from './strays.ts';
import {
  changedPins,
  excuseOf,
  footprint,
  isAboutTheCommit,
  namesOfChanged,
  pinnedFootprint,
  trackedFilesChanged,
} from './tracked-files.ts';
import { type RunVerdict, verdictOf } from './verdict.ts';
import { makeWorkFolder, sweepWorkFolders } from './work-folder.ts';

/** The version of the rules by which results are judged; it is part of every result's environment. */
export const runnerVersion = '2';

/** What the runner needs of a checkout: the tree it holds, and the tree its tracked files make up now. */
export interface CheckedOut {
  readonly tree: string;
  readonly submodules: readonly string[];
  treeNow(): Promise<string>;
}

/** Where a run stands. `check` is '' outside of checks; `done` of `total` checks have ended. */
export interface Progress {
  readonly phase: 'checkout' | 'setup' | 'check' | 'end';
  readonly check: string;
  readonly done: number;
  readonly total: number;
}

export interface RunRequest {
  /** Fills an empty folder with exactly the tree that is to be judged. */
  readonly checkout: (folder: string) => Promise<CheckedOut>;
  readonly criteria: Criteria;
  readonly kind: string;
  /** Throw-away folders are made and removed here. A short path: tests put sockets below it. */
  readonly workRoot: string;
  readonly cacheRoot: string;
  /** Repeated in the result, so that it belongs to one request; the checks never see it. */
  readonly nonce: string;
  readonly signal?: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly clock: () => Date;
  /** Facts the caller knows about the machine, such as git's version. */
  readonly facts?: Readonly<Record<string, string>>;
}

export interface RunResult extends RunVerdict {
  readonly nonce: string;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** They differ when the run changed tracked files, which fails unless the criteria allow it. '' for what could not be told. */
  readonly tree: { readonly start: string; readonly end: string };
  readonly submodules: readonly string[];
  /** Facts of the machine, and of this run: `tree_end`, `submodules` (a JSON list of paths), `setup`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly setup: SetupResult;
  readonly checks: readonly CheckResult[];
}

/**
 * Checks out, sets up, runs every check to its end, and judges. Never rejects: what could not run is indeterminate.
 * Works in a folder of mode 0700 that is gone afterwards, also after an abort; results exist in memory only, where
 * the code under test cannot write. What checks ask of tracked files is judged before anything runs. A run that changes
 * tracked files fails, unless the criteria allow it.
 */
export async function runVerification(request: RunRequest): Promise<RunResult> {
  const startedAt = request.clock().toISOString();
  const isolation = await probeIsolation();
  let found: Found;
  try {
    found = await inFolder(request, isolation);
  } catch (error) {
    found = broken(`the run broke off: ${messageOf(error)}`);
  }
  request.onProgress({ phase: 'end', check: '', done: found.checks.length, total: found.checks.length });
  return {
    ...found,
    nonce: request.nonce,
    startedAt,
    endedAt: request.clock().toISOString(),
    environment: describe(request, isolation, found),
  };
}

type Found = Omit<RunResult, 'nonce' | 'startedAt' | 'endedAt' | 'environment'>;

async function inFolder(request: RunRequest, isolation: Isolation): Promise<Found> {
  const plan = planChecks(request.criteria, request.kind);
  if (plan.checks.length === 0) return broken(plan.because);
  await sweepWorkFolders(request.workRoot);
  const folder = await makeWorkFolder(request.workRoot);
  try {
    return await inside(request, isolation, folder, plan.checks);
  } finally {
    killStrays(folder);
    await removeFolder(folder);
  }
}

async function inside(
  request: RunRequest,
  isolation: Isolation,
  folder: string,
  plan: readonly CheckSpec[],
): Promise<Found> {
  const { cacheRoot, criteria, signal } = request;
  const results = new Map<CheckSpec, CheckResult>();
  const progress = (phase: Progress['phase'], check: string) =>
    request.onProgress({ phase, check, done: results.size, total: plan.length });
  const checkout = join(folder, 'tree');
  await mkdir(checkout, { mode: 0o700 });
  progress('checkout', '');
  const out = await request.checkout(checkout);
  const before = await footprint(checkout);
  const pins = await pinnedFootprint(checkout, plan);
  const judge = async (check: CheckSpec, setup: SetupResult) => {
    if (signal?.aborted) return void results.set(check, leftOpen(check, 'the run was aborted'));
    progress('check', check.id);
    const env = await freshEnvironment(folder, `${results.size}`, criteria.allow);
    results.set(check, await guardedCheck(check, { checkout, env, isolation, signal }, setup));
    killStrays(folder);
  };
  const early = plan.filter((check) => isAboutTheCommit(check, checkout));
  for (const check of early) await judge(check, untouched);
  progress('setup', '');
  const setup = signal?.aborted
    ? abortedSetup
    : await prepare({ folder, checkout, cacheRoot, criteria, isolation, signal });
  for (const check of plan) if (!results.has(check)) await judge(check, setup);
  // A tree that can no longer be read is not the one that was checked out.
  const end = await out.treeNow().catch(() => '');
  const checks = plan.flatMap((check) => results.get(check) ?? []);
  const unpinned = await changedPins(checkout, pins);
  if (unpinned.length > 0)
    checks.push(trackedFilesChanged(`${unpinned.join(', ')} (pinned)`, excuseOf(setup, signal)));
  else if (end !== out.tree && !criteria.allowChanges)
    checks.push(trackedFilesChanged(await namesOfChanged(checkout, before), excuseOf(setup, signal)));
  return { ...verdictOf(checks), tree: { start: out.tree, end }, submodules: out.submodules, setup, checks };
}

const untouched: SetupResult = { outcome: 'nothing-to-do', cause: '', cached: false };
const abortedSetup: SetupResult = { ...untouched, outcome: 'indeterminate', cause: 'the run was aborted' };

const phrase = ({ outcome, cause, cached }: SetupResult) =>
  `${outcome}${cause === '' ? '' : `: ${cause}`}${cached ? ', from the cache' : ''}`;

const describe = (request: RunRequest, isolation: Isolation, found: Found): Record<string, string> => ({
  ...request.facts,
  node: process.version,
  platform: process.platform,
  arch: process.arch,
  network: isolation.network,
  isolation: isolation.how,
  runner: runnerVersion,
  tree_end: found.tree.end,
  submodules: JSON.stringify(found.submodules),
  setup: phrase(found.setup),
});

const broken = (cause: string): Found => ({
  verdict: 'indeterminate',
  cause,
  tree: { start: '', end: '' },
  submodules: [],
  setup: untouched,
  checks: [],
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

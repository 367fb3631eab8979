import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { sha256Hex } from '../attestation/digest.ts';
import { type BetweenChecks, betweenChecks } from './between-checks.ts';
import type { CheckContext, CheckResult } from './checks/check.ts';
import { type CheckSpec, worksApart } from './checks/index.ts';
import { guardedCheck, leftOpen, withSetupToldOnce } from './guarded-check.ts';
import type { Isolation } from './isolate.ts';
import { memoryIn } from './memory.ts';
import { type Pace, paceOf } from './pace.ts';
import { freshEnvironment, prepare } from './preparation.ts';
import type { CheckedOut, Found, Progress, RunRequest } from './request.ts';
import { type Reuse, reuseIn } from './reuse.ts';
import type { SetupResult } from './setup.ts';
import { signedPaths } from './sign-off.ts';
import { endStrays } from './strays.ts';
import {
  changedPins,
  excuseOf,
  type Footprint,
  footprint,
  isAboutTheCommit,
  namesOfChanged,
  pinnedFootprint,
  trackedFilesChanged,
} from './tracked-files.ts';
import { treeMaker } from './tree-maker.ts';
import type { Memory } from './trees.ts';
import { verdictOf } from './verdict.ts';

const HEAD_START_MS = 300;

/** A checkout as it was written, and all that the checks of the run share. */
interface Place {
  readonly request: RunRequest;
  readonly plan: readonly CheckSpec[];
  /** Everything of the checkout lies below it, so that what is left running there is found by it. */
  readonly own: string;
  readonly out: CheckedOut;
  readonly before: Footprint;
  readonly pins: Footprint;
  readonly between: BetweenChecks;
  readonly common: Omit<CheckContext, 'env'>;
  readonly reuse: Reuse;
  readonly pace: Pace;
  readonly results: Map<CheckSpec, CheckResult>;
  /** Milliseconds by the id of a check. */
  readonly took: Map<string, number>;
  progress(phase: Progress['phase'], check: string): void;
}

/**
 * Checks out below `folder`, judges what is about the commit alone, sets up, and runs the other checks to their ends:
 * those that share the checkout in the order of the file, beside them those that never look into it.
 */
export async function judgeInCheckout(
  request: RunRequest,
  isolation: Promise<Isolation>,
  folder: string,
  plan: readonly CheckSpec[],
): Promise<Found> {
  const place = await open(request, isolation, folder, plan);
  const { common, results, own } = place;
  const { cacheRoot, criteria, signal } = request;
  for (const check of plan.filter((one) => isAboutTheCommit(one, common.checkout)))
    await judge(place, check, untouched);
  place.progress('setup', '');
  const setup = signal?.aborted
    ? abortedSetup
    : await prepare({
        folder: own,
        checkout: common.checkout,
        cacheRoot,
        criteria,
        isolation: common.isolation,
        signal,
        seal: request.seal,
      });
  const inOrder = async (checks: readonly CheckSpec[]) => {
    for (const check of checks) if (!results.has(check)) await judge(place, check, setup);
  };
  const apart = plan.filter(worksApart);
  const first = inOrder(plan.filter((check) => !apart.includes(check)));
  // Programs that are to be started come first: what reads and compares has the time in which they run.
  await Promise.race([first, after(HEAD_START_MS, undefined, { ref: false })]);
  await Promise.all([first, inOrder(apart)]);
  const [found] = await Promise.all([close(place, setup), place.pace.keep(place.took)]);
  return found;
}

async function open(
  request: RunRequest,
  probed: Promise<Isolation>,
  folder: string,
  plan: readonly CheckSpec[],
): Promise<Place> {
  const { base, cacheRoot, criteria, signal, item, statements, acceptance, acceptanceIndependent } = request;
  const memory = memoryIn(join(cacheRoot, 'results'), request.seal);
  const pace = await paceOf(memory, criteria);
  const results = new Map<CheckSpec, CheckResult>();
  const progress = (phase: Progress['phase'], check: string) => {
    const leftMs = pace.left(plan.filter((one) => !results.has(one)));
    request.onProgress({ phase, check, done: results.size, total: plan.length, leftMs });
  };
  // As all other trees of the run are called.
  const own = await mkdtemp(join(folder, 'n'));
  const checkout = join(own, 'tree');
  await mkdir(checkout, { recursive: true, mode: 0o700 });
  progress('checkout', '');
  const out = await request.checkout(checkout);
  const isolation = await probed;
  const common = {
    checkout,
    isolation,
    signal,
    tree: out.tree,
    item,
    change: base?.change,
    trees: treeMaker(
      { folder, cacheRoot, criteria, isolation, signal, seal: request.seal, variables: request.variables },
      request.checkout,
      base?.checkout,
    ),
    memory: scoped(memory, JSON.stringify([criteria.setup, criteria.allow])),
    statements,
    signed: await signedPaths(criteria, base?.change, item, statements),
    acceptance,
    acceptanceIndependent,
    secret: randomBytes(16).toString('hex'),
  };
  const before = await footprint(checkout);
  return {
    ...{ request, plan, own, out, before, common, pace, results, progress },
    took: new Map(),
    between: await betweenChecks(checkout, plan, before, out, criteria.allowChanges),
    pins: await pinnedFootprint(checkout, plan),
    reuse: await reuseIn(memory, checkout, plan, criteria),
  };
}

async function judge(place: Place, check: CheckSpec, setup: SetupResult): Promise<void> {
  const { request, plan, own, common, reuse, results, took, progress } = place;
  if (request.signal?.aborted) return void results.set(check, leftOpen(check, 'the run was aborted'));
  // Where both go on, people want to know of the one that takes its time.
  if (!worksApart(check) || plan.every(worksApart)) progress('check', check.id);
  // Those that work apart start while another one is at work in the checkout.
  if (!worksApart(check)) await place.between.look();
  const began = performance.now();
  let result = await reuse.recall(check);
  if (result === undefined) {
    const env = await freshEnvironment(own, request.criteria.allow, request.variables);
    result = await guardedCheck(check, { ...common, env }, setup);
    await reuse.keep(check, result, request.clock().toISOString());
  }
  results.set(check, result);
  took.set(check.id, Math.round(performance.now() - began));
  if (!worksApart(check)) endStrays(common.isolation, own);
}

/** Looks whether the tracked files are still those of the commit, and judges. */
async function close(place: Place, setup: SetupResult) {
  const { request, plan, out } = place;
  const { signal } = request;
  // A tree that can no longer be read is not the one that was checked out.
  const end = await out.treeNow().catch(() => '');
  const results = withSetupToldOnce(
    plan.flatMap((check) => place.results.get(check) ?? []),
    setup,
  );
  const checks = results.map((one) => withHint(one, out));
  const names = await whatChanged(place, end);
  if (names !== undefined) checks.push(trackedFilesChanged(names, excuseOf(setup, signal)));
  return { ...verdictOf(checks), tree: { start: out.tree, end }, submodules: out.submodules, setup, checks };
}

/** A check that failed may have looked for what lies in a submodule, or behind a link that leads out. */
function withHint(check: CheckResult, { submodules, leftOut = [] }: CheckedOut): CheckResult {
  if (check.outcome !== 'fail') return check;
  const hints = [
    ...hintOf('a checkout leaves the folders of submodules empty', submodules),
    ...hintOf('a checkout leaves out links that lead out of the repository', leftOut),
  ];
  return { ...check, explanation: `${check.explanation}${hints.join('')}` };
}

const hintOf = (what: string, paths: readonly string[]): readonly string[] =>
  paths.length === 0 ? [] : [` (${what}: ${paths.slice(0, 3).join(', ')})`];

/** What the checks did to tracked files, by name; undefined when nothing that counts. `end` is the tree they left. */
async function whatChanged(place: Place, end: string): Promise<string | undefined> {
  const { request, out, before, pins, common, between } = place;
  const { folders, files } = await between.end();
  const unpinned = await changedPins(common.checkout, pins);
  if (folders.length > 0) return `${folders.slice(0, 5).join(', ')} (replaced)`;
  if (unpinned.length > 0) return `${unpinned.join(', ')} (pinned)`;
  if (request.criteria.allowChanges) return undefined;
  if (end !== out.tree) return namesOfChanged(common.checkout, before);
  return files.length > 0 ? `${files.join(', ')} (put back)` : undefined;
}

/** The same memory for runs that prepare their trees alike: what a tree is set up with decides how things end there. */
function scoped({ recall, keep }: Memory, scope: string): Memory {
  const of = (key: string) => sha256Hex(JSON.stringify([scope, key]));
  return { recall: (key) => recall(of(key)), keep: (key, text) => keep(of(key), text) };
}

/** Before anything was set up. */
export const untouched: SetupResult = { outcome: 'nothing-to-do', cause: '', cached: false };
const abortedSetup: SetupResult = { ...untouched, outcome: 'indeterminate', cause: 'the run was aborted' };

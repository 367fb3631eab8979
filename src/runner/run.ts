import { judgeInCheckout, untouched } from './in-checkout.ts';
import { type Isolation, noIsolation, probeIsolation } from './isolate.ts';
import { planChecks } from './plan.ts';
import { removeFolder } from './remove-folder.ts';
import type { Found, RunRequest, RunResult } from './request.ts';
import type { SetupResult } from './setup.ts';
import { endStrays } from './strays.ts';
import { runnerVersion } from './verdict.ts';
import { makeWorkFolder, sweepWorkFolders } from './work-folder.ts';

/**
 * Checks out, sets up, runs every check to its end, and judges. Never rejects: what could not run is indeterminate.
 * Works in a folder of mode 0700 that is gone afterwards, also after an abort; results exist in memory only, where
 * the code under test cannot write. What checks ask of tracked files is judged before anything runs. A run that changes
 * tracked files fails, unless the criteria allow it.
 */
export async function runVerification(request: RunRequest): Promise<RunResult> {
  const startedAt = request.clock().toISOString();
  // Tried out while the commit is checked out.
  const probed = probeIsolation();
  probed.catch(() => {});
  let found: Found;
  try {
    found = await inFolder(request, probed);
  } catch (error) {
    found = broken(`the run broke off: ${messageOf(error)}`);
  }
  const { length } = found.checks;
  request.onProgress({ phase: 'end', check: '', done: length, total: length, leftMs: 0 });
  return {
    ...found,
    nonce: request.nonce,
    startedAt,
    endedAt: request.clock().toISOString(),
    environment: {
      ...(await request.facts),
      ...describe(request, await probed.catch(() => noIsolation), found),
    },
  };
}

async function inFolder(request: RunRequest, isolation: Promise<Isolation>): Promise<Found> {
  const plan = planChecks(request);
  if (plan.checks.length === 0) return broken(plan.because);
  await sweepWorkFolders(request.workRoot);
  const folder = await makeWorkFolder(request.workRoot);
  try {
    return await judgeInCheckout(request, isolation, folder, plan.checks);
  } finally {
    endStrays(await isolation.catch(() => noIsolation), folder);
    await removeFolder(folder);
  }
}

const phrase = ({ outcome, cause, cached }: SetupResult) =>
  `${outcome}${cause === '' ? '' : `: ${cause}`}${cached ? ', from the cache' : ''}`;

const describe = (request: RunRequest, isolation: Isolation, found: Found): Record<string, string> => ({
  node: process.version,
  platform: process.platform,
  arch: process.arch,
  network: isolation.network,
  isolation: isolation.how,
  runner: runnerVersion,
  tier: request.criteria.tier,
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

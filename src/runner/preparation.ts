import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Criteria } from './criteria.ts';
import { installerEnvironment, scrubbedEnvironment, searchPath } from './environment.ts';
import type { Isolation } from './isolate.ts';
import type { Seal } from './memory.ts';
import { runProcess } from './process.ts';
import { type SetupResult, setUp } from './setup.ts';
import { endStrays } from './strays.ts';

/** One run's folders and means, as the set-up needs them. */
export interface Preparation {
  readonly folder: string;
  readonly checkout: string;
  readonly cacheRoot: string;
  readonly criteria: Criteria;
  readonly isolation: Isolation;
  readonly seal: Seal | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Dependencies with the network, builds without it, and nothing left running. Never rejects for what a program did. */
export async function prepare(run: Preparation): Promise<SetupResult> {
  const env = await freshEnvironment(run.folder, run.criteria.allow);
  const common = { cwd: run.checkout, timeoutMs: 900_000, maxOutput: 20_000_000, signal: run.signal };
  const forInstaller = installerEnvironment(env, join(run.cacheRoot, 'downloads'));
  const result = await setUp(run.criteria.setup, {
    checkout: run.checkout,
    cacheRoot: run.cacheRoot,
    searchPath,
    seal: run.seal,
    install: (argv) => runProcess({ ...common, argv, env: forInstaller, wrap: run.isolation.online }),
    build: (argv) => runProcess({ ...common, argv, env, wrap: run.isolation.wrap }),
  });
  endStrays(run.isolation, run.folder);
  return result;
}

/**
 * Each check starts with an empty home, so that none can leave settings for the next. A name by chance tells no program
 * which run of how many it is in.
 */
export async function freshEnvironment(
  folder: string,
  allow: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const [home, tmp] = [await mkdtemp(join(folder, 'h')), await mkdtemp(join(folder, 't'))];
  return { ...variables, ...scrubbedEnvironment({ home, tmp, ceiling: folder, allow }) };
}

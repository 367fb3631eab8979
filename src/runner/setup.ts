import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isCacheable } from './cacheable.ts';
import { type Installer, installers } from './installers.ts';
import type { Seal } from './memory.ts';
import { hasModules, moduleKey, restoreModules, storeModules } from './module-cache.ts';
import type { ProcessResult } from './process.ts';
import { locateProgram } from './program.ts';
import { saidOnFailure } from './said-on-failure.ts';

/** What the criteria ask for before the checks. */
export interface SetupPlan {
  readonly install: 'auto' | 'none';
  readonly build: readonly (readonly string[])[];
}

/** `indeterminate`: the checks could not be given what they need; this is never the fault that a check finds. */
export interface SetupResult {
  readonly outcome: 'done' | 'nothing-to-do' | 'indeterminate';
  readonly cause: string;
  /** True when the dependencies came from the cache. */
  readonly cached: boolean;
  /** A build ran to its end and failed, by what it was given to build. */
  readonly unbuilt?: boolean;
}

/** Where the set-up works and how it runs programs; `install` has the network, `build` has what the checks have. */
export interface SetupContext {
  readonly checkout: string;
  readonly cacheRoot: string;
  readonly searchPath: string;
  /** Marks what is kept for other runs; undefined where nothing can be marked. */
  readonly seal: Seal | undefined;
  install(argv: readonly string[]): Promise<ProcessResult>;
  build(argv: readonly string[]): Promise<ProcessResult>;
}

/** Installs from the lockfile, then runs the builds that the criteria name. Never throws. */
export async function setUp(plan: SetupPlan, context: SetupContext): Promise<SetupResult> {
  try {
    const installed = plan.install === 'none' ? nothing : await install(context);
    if (installed.outcome === 'indeterminate') return installed;
    for (const argv of plan.build) {
      const result = await context.build(argv);
      const failure = failureOf(argv, result);
      if (failure === undefined) continue;
      return { ...indeterminate(`build: ${failure}`), ...(hasFailed(result) ? { unbuilt: true } : {}) };
    }
    return plan.build.length > 0 ? { ...installed, outcome: 'done' } : installed;
  } catch (error) {
    return indeterminate(`set-up broke off: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const nothing: SetupResult = { outcome: 'nothing-to-do', cause: '', cached: false };
const indeterminate = (cause: string): SetupResult => ({ outcome: 'indeterminate', cause, cached: false });

async function install(context: SetupContext): Promise<SetupResult> {
  if (!existsSync(join(context.checkout, 'package.json'))) return nothing;
  const manifest: unknown = JSON.parse(await readFile(join(context.checkout, 'package.json'), 'utf8'));
  if (!needsPackages(manifest)) return nothing;
  const found = installers.flatMap((installer) =>
    installer.lockfiles
      .filter((name) => existsSync(join(context.checkout, name)))
      .map((lockfile) => ({ installer, lockfile })),
  )[0];
  if (found === undefined) return indeterminate('no lockfile: commit one, or set setup.install to none');
  // Modules that the commit itself holds are not the installer's: they must reach no other commit.
  const own = await hasModules(context.checkout);
  if (own || !(await isCacheable(context.checkout, found.lockfile))) {
    const failure = await freshly(context, found.installer, found.lockfile);
    return failure === undefined ? { outcome: 'done', cause: '', cached: false } : indeterminate(failure);
  }
  const key = await moduleKey(context.checkout, found.lockfile, found.installer.program);
  const cache = join(context.cacheRoot, 'modules');
  if (await restoreModules(cache, key, context.checkout, context.seal))
    return { outcome: 'done', cause: '', cached: true };
  const failure = await freshly(context, found.installer, found.lockfile);
  if (failure !== undefined) return indeterminate(failure);
  await storeModules(cache, key, context.checkout, context.seal);
  return { outcome: 'done', cause: '', cached: false };
}

async function freshly(
  context: SetupContext,
  installer: Installer,
  lockfile: string,
): Promise<string | undefined> {
  if (locateProgram(installer.program, context.searchPath, context.checkout) === undefined) {
    return `${installer.program} is not installed, and ${lockfile} needs it`;
  }
  const argv = installer.argv(await readFile(join(context.checkout, lockfile), 'utf8'));
  return failureOf(argv, await context.install(argv));
}

function needsPackages(manifest: unknown): boolean {
  if (typeof manifest !== 'object' || manifest === null) return true;
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'workspaces'];
  const entries = Object.entries(manifest).filter(([key]) => kinds.includes(key));
  return entries.some(
    ([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0,
  );
}

/** By its own judgement, and not for what it lacked or was cut off by. */
const hasFailed = ({ notFound, aborted, timedOut, overflowed, exitCode }: ProcessResult) =>
  !(notFound || aborted || timedOut || overflowed || exitCode === null);

function failureOf(argv: readonly string[], result: ProcessResult): string | undefined {
  const command = argv.join(' ');
  if (result.notFound) return `program not found: ${argv[0]}`;
  if (result.aborted) return `${command} was aborted`;
  if (result.timedOut) return `${command} took too long`;
  if (result.overflowed) return `${command} wrote too much`;
  if (result.exitCode === 0) return undefined;
  return `${command} ended with ${result.exitCode ?? result.signal}: ${saidOnFailure(result.output)}`;
}

import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { criteriaPath } from './criteria.ts';
import { EngineError } from './engine-error.ts';
import { assertInside } from './inside-tree.ts';

/** What `criteria init` would write, or has written. */
export interface CriteriaDraft {
  readonly path: string;
  readonly text: string;
  /** Ids of the checks; at least one. */
  readonly found: readonly string[];
  /** What people should know about it. */
  readonly notes: readonly string[];
}

export interface CriteriaWish {
  /** light, standard or strict. */
  readonly tier: string;
  readonly name: string;
}

const LARGEST = 4 * 1024 * 1024;

/**
 * Proposes criteria of a tier for a working tree. Writes nothing. Throws BAD_INPUT for an unknown tier or a bad name, and
 * where nothing was recognised that a check could run: criteria without a check verify nothing, and no file is better.
 */
export async function draftCriteria(top: string, { tier, name }: CriteriaWish): Promise<CriteriaDraft> {
  const [{ proposeCriteria }, { tiers }] = await Promise.all([
    import('../runner/propose.ts'),
    import('../runner/propose/tiers.ts'),
  ]);
  const known = tiers.find((each) => each === tier);
  if (known === undefined)
    throw new EngineError('BAD_INPUT', `there is no tier ${tier}`, `it is one of: ${tiers.join(', ')}`);
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name))
    throw new EngineError(
      'BAD_INPUT',
      `${JSON.stringify(name)} is no name for criteria`,
      'lower-case letters, digits, dots and dashes',
    );
  const wish = { tier: known, name };
  const { text, found, notes } = await proposeCriteria(workingFiles(top), wish, await thisMachine(top));
  const path = criteriaPath(name);
  if (found.length === 0)
    throw new EngineError(
      'BAD_INPUT',
      `no tests were recognised: ${path} would hold no check`,
      howToBegin(path),
    );
  return { path, text, found, notes };
}

/** What to do in a repository that shows no tests. */
export const howToBegin = (path: string): string =>
  `add tests and a way to run them, or write ${path} by hand (one check is enough: {id: tests, kind: command, run: [make, test], report: {format: exit}}); countersign criteria init --tier standard looks at the change alone`;

/** Which programs this machine has, where checks look for them. */
export async function thisMachine(top: string) {
  const [{ searchPath }, { placesFor }, pythons] = await Promise.all([
    import('../runner/environment.ts'),
    import('../runner/toolchains.ts'),
    import('../runner/pythons.ts'),
  ]);
  // What a package brings along is installed before checks run.
  const variablesFor = (program: string) => (program.includes('/') ? [] : placesFor(program, searchPath));
  const pythonWith = (module: string) =>
    pythons.pythonWith(module, { checks: searchPath, caller: process.env.PATH ?? '', except: top });
  return { variablesFor, pythonWith };
}

/**
 * Writes it into the working tree. A file that is there is kept unless `force` says otherwise: throws BAD_INPUT, also
 * where a link would lead out of the working tree.
 */
export function writeDraft(top: string, { path, text }: CriteriaDraft, force: boolean): void {
  assertInside(top, path);
  const stats = lstatSync(join(top, path), { throwIfNoEntry: false });
  if (stats !== undefined && !(force && stats.isFile())) {
    const hint = stats.isFile()
      ? 'see what would be written: --print; another file: --name NAME; write it anew: --force'
      : 'move it out of the way';
    throw new EngineError('BAD_INPUT', `${path} is there already`, hint);
  }
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text, { flag: force ? 'w' : 'wx' });
}

/** The files of a working tree, as far as a proposal looks at them: plain files of a sane size, never through a link. */
export function workingFiles(top: string) {
  return {
    names: readdirSync(top),
    read: async (path: string) => readPlain(join(top, path)),
    list: async (folder: string) => namesIn(join(top, folder)),
  };
}

function readPlain(path: string): Uint8Array | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= LARGEST ? readFileSync(path) : undefined;
}

function namesIn(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Change, ChangedFile } from '../change.ts';
import { isTestFile } from '../test-files.ts';
import { isCode } from './code-files.ts';
import { type Telling, withDecoy } from './decoy.ts';
import { shapeOf } from './shape.ts';

/** What the work did to the tests and to everything else. */
export interface Work {
  readonly change: Change;
  /** Test files that are new or read differently on head. */
  readonly freshTests: readonly ChangedFile[];
  /** Test files of base that head changed or removed. */
  readonly touchedTests: readonly ChangedFile[];
  /** Files of programs, outside of the tests, that both sides have. */
  readonly changedSources: readonly ChangedFile[];
  /** New programs outside of the tests. */
  readonly addedSources: readonly ChangedFile[];
  /** New data outside of the tests that the product does not load. */
  readonly strayData: readonly ChangedFile[];
  /** Manifests and lockfiles: tests of head may need what they name. */
  readonly manifests: readonly ChangedFile[];
}

const MANIFEST = /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock)$/;

export function workOf(
  change: Change,
  patterns: readonly string[],
  support: ReadonlySet<string>,
  stray: ReadonlySet<string> = new Set(),
): Work {
  const tests = change.files.filter(({ path }) => isTestFile(path, patterns) || support.has(path));
  const others = change.files.filter((file) => !tests.includes(file));
  return {
    change,
    freshTests: tests.filter(({ status }) => status !== 'deleted'),
    touchedTests: tests.filter(({ status }) => status !== 'added'),
    changedSources: others.filter(({ status, path }) => status === 'modified' && !MANIFEST.test(path)),
    addedSources: others.filter(
      (file) => file.status === 'added' && isCode(file) && !MATERIAL.test(file.path),
    ),
    strayData: others.filter(({ path }) => stray.has(path)),
    manifests: others.filter(({ path }) => MANIFEST.test(path)),
  };
}

/** Gives the files of a checkout the content that one side of the change has; what that side lacks is removed. */
export async function bring(
  checkout: string,
  side: (path: string) => Promise<Buffer | undefined>,
  files: readonly ChangedFile[],
): Promise<void> {
  for (const { path } of files) {
    const content = await side(path);
    await rm(join(checkout, path), { recursive: true, force: true });
    if (content === undefined) continue;
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), content);
  }
}

/** Programs that ask what they are written in, and compilers of single functions: comments are all that they put up with. */
const LOOKS_AT_ITSELF =
  /\binspect\b|\b__code__\b|\blinecache\b|\bimport\s+(?:ast|dis|tokenize)\b|\b(?:numba|torch|jax|triton|tensorflow)\b|\.toString\(\)\.(?:match|replace|slice|indexOf)/;
/** Texts that a program hands on as they are. */
const MATERIAL = /(?:^|\/)(?:templates?|fixtures?|examples?|assets|static|public|skeletons?)\//;

/**
 * Puts the other side's text of every changed source behind it, as a comment and, by `telling`, as code that is never
 * reached; functions of base tell of themselves what those of head do. A new source of head has a line of nobody's there, so that it is not, to the letter, what it was. Answers how
 * many files took something.
 */
export async function plantDecoys(
  checkout: string,
  { change, changedSources, addedSources }: Work,
  own: 'head' | 'base',
  telling: Telling = 'code',
) {
  let planted = 0;
  const put = async (path: string, content: Buffer | undefined) => {
    if (content === undefined) return;
    await writeFile(join(checkout, path), content);
    planted += 1;
  };
  for (const { path } of changedSources) {
    const [before, after] = [await change.before(path), await change.after(path)];
    if (before === undefined || after === undefined) continue;
    const how = tellingFor(before, telling);
    const told = own === 'head' ? withDecoy(path, after, before, how) : withDecoy(path, before, after, how);
    const shape = own === 'base' && how === 'code' ? shapeOf(path, before.toString(), after.toString()) : '';
    await put(path, told && Buffer.concat([told, Buffer.from(shape)]));
  }
  for (const { path } of own === 'head' ? addedSources : []) {
    const after = await change.after(path);
    if (after === undefined) continue;
    await put(path, withDecoy(path, after, Buffer.concat([after, NOBODYS]), telling));
  }
  return planted;
}

const NOBODYS = Buffer.from('\nv7919 = 0;\n');

/** Only base decides: the work cannot say of itself that it has to be spared. */
export const tellingFor = (before: Buffer, telling: Telling): Telling =>
  LOOKS_AT_ITSELF.test(before.toString('utf8')) ? 'comments' : telling;

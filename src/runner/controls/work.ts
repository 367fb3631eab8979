import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Change, ChangedFile } from '../change.ts';
import { insideCheckout } from '../checks/inside.ts';
import { isDocument, isForPeople } from '../diff/documents.ts';
import { isProgram } from '../diff/listing.ts';
import { isProtectedPath } from '../diff/protected.ts';
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
  /** Data and texts outside of the tests that the product does not load. */
  readonly strayData: readonly ChangedFile[];
  /**
   * What else is new, gone or of another kind, what is for people or for tools, and what was there before and no program
   * names: a test can miss that without asking what any program does.
   */
  readonly structure: readonly ChangedFile[];
  /** Manifests and lockfiles: tests of head may need what they name. */
  readonly manifests: readonly ChangedFile[];
}

const MANIFEST =
  /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock)$/;

export function workOf(
  change: Change,
  patterns: readonly string[],
  support: ReadonlySet<string>,
  stray: ReadonlySet<string> = new Set(),
  product: ReadonlySet<string> = new Set(),
): Work {
  const tests = change.files.filter(
    ({ path }) => (isTestFile(path, patterns) && !product.has(path)) || support.has(path),
  );
  const others = change.files.filter((file) => !tests.includes(file));
  const [manifests, rest] = parted(others, ({ path }) => MANIFEST.test(path));
  const [strayData, own] = parted(rest, (file) => stray.has(file.path) && isForTests(file));
  return {
    change,
    freshTests: tests.filter(({ status }) => status !== 'deleted'),
    touchedTests: tests.filter(({ status }) => status !== 'added'),
    changedSources: rest.filter((file) => file.status === 'modified' && !isLink(file)),
    addedSources: rest.filter((file) => file.status === 'added' && isCode(file) && !MATERIAL.test(file.path)),
    strayData,
    structure: [
      ...own.filter((file) => stray.has(file.path) || isStructure(file)),
      ...tests.filter(({ status }) => status === 'deleted'),
    ],
    manifests,
  };
}

/**
 * Of what no program names: what is new, or for people, may well be there for the tests alone. Of what was there nobody
 * knows who reads it, nor of texts that may be data; and what can be started is a program.
 */
const isForTests = ({ path, status, modes }: ChangedFile): boolean =>
  isForPeople(path) || (status === 'added' && !isDocument(path) && modes?.[1] !== PROGRAM);

const isStructure = (file: ChangedFile): boolean =>
  isForPeople(file.path) ||
  isSetting(file) ||
  (file.status === 'added' ? isCode(file) : file.status !== 'modified' || isLink(file));

/** Settings and manifests of tools: a test that reads them learns nothing of what a program does. */
const isSetting = ({ path }: ChangedFile): boolean => isProtectedPath(path) && !isProgram(path);

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/**
 * Gives the files of a checkout what that side of the change has: content, and whether it is a program or a link; what it
 * lacks is removed. A link that leads out of the checkout is left out, as everywhere.
 */
export async function bring(
  checkout: string,
  { before, after }: Pick<Change, 'before' | 'after'>,
  side: 'before' | 'after',
  files: readonly ChangedFile[],
): Promise<void> {
  // First of all, so that nothing is taken away through a link, or out of a folder, that came in its place.
  for (const { path } of files)
    await rm(join(checkout, path), { recursive: true, force: true }).catch(unlessNoFolder);
  for (const { path, modes } of files) {
    const content = await (side === 'before' ? before : after)(path);
    const place = join(checkout, path);
    if (content === undefined) continue;
    const mode = modes?.[side === 'before' ? 0 : 1];
    await mkdir(dirname(place), { recursive: true });
    if (mode === LINK) await link(checkout, path, content.toString('utf8'));
    else await writeFile(place, content, { mode: mode === PROGRAM ? 0o755 : 0o644 });
  }
}

const unlessNoFolder = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOTDIR') throw error;
};

/** The work's tests, and what may belong to them, as every tree gets them in which they are compared. */
export const bringTests = (checkout: string, { change, freshTests, manifests, strayData }: Work) =>
  bring(checkout, change, 'after', [...freshTests, ...manifests, ...strayData]);

/** Whether the work differs from base by more than the content of its sources and its tests. */
export const hasStructure = ({ structure, changedSources }: Work): boolean =>
  structure.length + startable(changedSources).length > 0;

/** What hasStructure asks for, as head has it; written anew, so that it is as old in each tree where it is compared. */
export async function bringStructure(
  checkout: string,
  { change, structure, changedSources }: Work,
): Promise<void> {
  await bring(checkout, change, 'after', structure);
  await takeModes(checkout, changedSources);
}

const LINK = '120000';
const PROGRAM = '100755';

const isLink = ({ modes = ['', ''] }: ChangedFile) => modes.includes(LINK);

/** What of these files can be started on the one side and not on the other. */
const startable = (files: readonly ChangedFile[]): readonly ChangedFile[] =>
  files.filter(({ modes = ['', ''] }) => modes[0] !== modes[1] && modes.includes(PROGRAM));

/** Lets these be started, or no more, as on head. */
export async function takeModes(checkout: string, files: readonly ChangedFile[]): Promise<void> {
  for (const { path, modes } of startable(files))
    await chmod(join(checkout, path), modes?.[1] === PROGRAM ? 0o755 : 0o644);
}

async function link(checkout: string, path: string, target: string): Promise<void> {
  const place = join(checkout, path);
  if (target.startsWith('/') || relative(checkout, join(dirname(place), target)).startsWith('..')) return;
  await symlink(target, place);
  // Through other links it may lead out all the same; one that leads nowhere stays.
  if (insideCheckout(checkout, path) === undefined && existsSync(place)) await rm(place);
}

/** Programs that ask what they are written in, and compilers of single functions: comments are all that they put up with. */
const LOOKS_AT_ITSELF =
  /\binspect\b|\b__code__\b|\blinecache\b|\bimport\s+(?:ast|dis|tokenize)\b|\b(?:numba|torch|jax|triton|tensorflow)\b|\.toString\(\)\.(?:match|replace|slice|indexOf)/;
/** Texts that a program hands on as they are. */
const MATERIAL = /(?:^|\/)(?:templates?|fixtures?|examples?|assets|static|public|skeletons?)\//;

/**
 * Puts the other side's text of every changed source behind it, as a comment and, by `telling`, as code that is never
 * reached; functions of base tell of themselves what those of head do. A new source, `withAdded`, has a line of nobody's there, so that it is not, to the letter, what it was.
 * Answers how many files took something.
 */
export async function plantDecoys(
  checkout: string,
  { change, changedSources, addedSources }: Work,
  own: 'head' | 'base',
  telling: Telling = 'code',
  withAdded = own === 'head',
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
  for (const { path } of withAdded ? addedSources : []) {
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

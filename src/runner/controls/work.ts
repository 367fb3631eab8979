import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Change, ChangedFile } from '../change.ts';
import { isTestFile } from '../test-files.ts';
import { withDecoy } from './decoy.ts';

/** What the work did to the tests and to everything else. */
export interface Work {
  readonly change: Change;
  /** Test files that are new or read differently on head. */
  readonly freshTests: readonly ChangedFile[];
  /** Test files of base that head changed or removed. */
  readonly touchedTests: readonly ChangedFile[];
  /** Files of programs, outside of the tests, that both sides have. */
  readonly changedSources: readonly ChangedFile[];
  /** Manifests and lockfiles: tests of head may need what they name. */
  readonly manifests: readonly ChangedFile[];
}

const MANIFEST = /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock)$/;

export function workOf(change: Change, patterns: readonly string[], support: ReadonlySet<string>): Work {
  const tests = change.files.filter(({ path }) => isTestFile(path, patterns) || support.has(path));
  const others = change.files.filter((file) => !tests.includes(file));
  return {
    change,
    freshTests: tests.filter(({ status }) => status !== 'deleted'),
    touchedTests: tests.filter(({ status }) => status !== 'added'),
    changedSources: others.filter(({ status, path }) => status === 'modified' && !MANIFEST.test(path)),
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

/** Puts the other side's text of every changed source behind it, as a comment. Answers how many files took one. */
export async function plantDecoys(checkout: string, { change, changedSources }: Work, own: 'head' | 'base') {
  let planted = 0;
  for (const { path } of changedSources) {
    const [before, after] = [await change.before(path), await change.after(path)];
    if (before === undefined || after === undefined) continue;
    const content = own === 'head' ? withDecoy(path, after, before) : withDecoy(path, before, after);
    if (content === undefined) continue;
    await writeFile(join(checkout, path), content);
    planted += 1;
  }
  return planted;
}

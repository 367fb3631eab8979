import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTestFile } from '../test-files.ts';

const SOURCE =
  /\.([cm]?[jt]sx?|py|go|rs|java|kt|scala|rb|php|c|cc|cpp|h|hpp|cs|swift|sh|pl|ex|exs|vue|svelte)$/i;
const KEPT =
  /(^|\/)(package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|\.npmrc)$/;
const BROKEN = ')]}> countersign broke this line on purpose <([{ \'"`';

/** The plain files of a checkout, without dependencies. Paths with `/`, sorted. */
export async function filesOf(checkout: string): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const item of await readdir(join(checkout, folder), { withFileTypes: true })) {
      const path = folder === '' ? item.name : `${folder}/${item.name}`;
      if (item.isDirectory() && item.name !== 'node_modules' && item.name !== '.countersign')
        await walk(path);
      else if (item.isFile()) found.push(path);
    }
  };
  await walk('');
  return found.sort();
}

/** Which of the files are tests. */
export const testsAmong = (files: readonly string[], patterns: readonly string[]): readonly string[] =>
  files.filter((path) => isTestFile(path, patterns));

/**
 * Makes every source file one that no compiler, linter or loader takes: a line of broken text behind the first line
 * and at the end, since either place alone can lie in a comment. Answers how many files there were.
 */
export async function breakSources(checkout: string): Promise<number> {
  const sources = (await filesOf(checkout)).filter((path) => SOURCE.test(path));
  for (const path of sources) {
    const [first = '', ...rest] = readFileSync(join(checkout, path), 'utf8').split('\n');
    writeFileSync(join(checkout, path), `${[first, BROKEN, ...rest].join('\n')}\n${BROKEN}\n`);
  }
  return sources.length;
}

/** Removes everything but what dependencies are installed from. */
export async function emptyOut(checkout: string): Promise<void> {
  for (const path of await filesOf(checkout)) if (!KEPT.test(path)) await rm(join(checkout, path));
}

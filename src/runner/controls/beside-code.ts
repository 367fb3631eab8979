import { languageOf } from '../diff/language.ts';
import { readSource } from '../diff/source.ts';
import type { Mutant } from './mutants.ts';
import { withOtherData } from './other-data.ts';
import { namedByTests } from './subjects.ts';
import type { Suite } from './suite.ts';

/** How many of these files are tried. */
const MOST = 6;

/** What tests that are the whole work name beside code: data, texts, scripts. */
export interface BesideCode {
  /** Each of these files with something else in it. */
  readonly mutants: readonly Mutant[];
  /** What they may ask of them, and no other content would show. */
  readonly untried: string;
}

/** What of that is tried, the files first that they name themselves. */
export async function besideCode(suite: Suite): Promise<BesideCode> {
  const { beside } = await namedByTests(suite);
  const { change } = suite.work;
  const mutants: Mutant[] = [];
  for (const path of beside.slice(0, MOST)) {
    const text = (await change.after(path))?.toString('utf8') ?? '';
    const mutant = withOtherData(path, text);
    if (mutant !== undefined) mutants.push(mutant);
  }
  if (beside.length > MOST) return { mutants, untried: beside[MOST] ?? '' };
  const asks = beside.length > 0 && (await askForBeing(suite));
  return { mutants, untried: asks ? `whether ${beside[0]} is there` : '' };
}

/** Whether a file is there, or which are in a folder, is asked on a line that is new. */
const ASKS_FOR_BEING =
  /\b(?:exists(?:Sync)?|l?stat(?:Sync)?|access(?:Sync)?|readdir(?:Sync)?|is_?file|is_?dir|listdir|iterdir|scandir|r?glob(?:Sync)?)\s*\(/;

async function askForBeing({ work: { change, freshTests } }: Suite): Promise<boolean> {
  for (const { path } of freshTests) {
    const before = (await change.before(path))?.toString('utf8') ?? '';
    const known = new Set(before.split('\n').map((line) => line.trim()));
    const { code } = readSource((await change.after(path))?.toString('utf8') ?? '', languageOf(path));
    if (code.split('\n').some((line) => !known.has(line.trim()) && ASKS_FOR_BEING.test(line))) return true;
  }
  return false;
}

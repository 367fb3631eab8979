import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ended } from './ended.ts';
import type { Answer, Call } from './material.ts';

/**
 * Loads the module in a process of its own and answers the calls. The answers come back over a file that the module
 * does not know and are compared out here, so that nothing in the module can judge itself.
 */
const PROGRAM = `
const { readFileSync, writeFileSync } = require('node:fs');
const [entry, calls, out] = process.argv.splice(2);
const asked = JSON.parse(readFileSync(calls, 'utf8'));
process.argv.length = 1;
const write = writeFileSync, stringify = JSON.stringify;
const loaded = require(entry);
const unit = loaded && loaded.__esModule ? loaded.default : loaded;
const answers = asked.map(({ export: name, args }) => {
  try {
    const value = (name === 'default' ? unit : unit[name])(...args);
    return { returns: value === undefined ? null : value };
  } catch { return { throws: true }; }
});
write(out, stringify(answers));
`;

/** Answers of the module at `entry`, an absolute path; empty when it could not be brought to answer. */
export async function answersOf(
  entry: string,
  calls: readonly Call[],
  scratch: string,
): Promise<readonly Answer[]> {
  const folder = mkdtempSync(join(scratch, 'oracle-'));
  try {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const out = join(folder, 'answers.json');
    const words = [
      file('ask.cjs', PROGRAM),
      await plain(entry, folder),
      file('calls.json', JSON.stringify(calls)),
      out,
    ];
    const env = { PATH: process.env.PATH };
    await ended(process.execPath, words, folder, env, { timeout: 5000, quiet: true });
    return JSON.parse(readFileSync(out, 'utf8')) as readonly Answer[];
  } catch {
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** TypeScript becomes JavaScript first; everything else is loaded as it lies there. */
async function plain(entry: string, folder: string): Promise<string> {
  if (!entry.endsWith('.ts')) return entry;
  const outfile = join(folder, 'module.cjs');
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}

/** The number of calls that are answered as expected. */
export const agreeing = (given: readonly Answer[], expected: readonly Answer[]): number =>
  expected.filter((answer, n) => JSON.stringify(given[n]) === JSON.stringify(answer)).length;

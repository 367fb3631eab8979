// Sizes and names: a file over 300 lines fails, one over 200 in src is listed, a drawer without a name fails.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const MOST = 300;
const ASKS_FOR_A_REASON = 200;

const plan = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const drawer = new RegExp(plan.forbidden.find((rule) => rule.name === 'no-drawers').to.path);

const listed = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '-z',
    'src',
    'tests',
    'bench',
    'scripts',
    'examples',
  ],
  { encoding: 'utf8' },
);
const code = [...new Set(listed.split('\0'))].filter((path) => /\.(ts|mjs|cjs)$/.test(path)).sort();

/** Undefined for a file that git lists and the disk no longer has. */
function lines(path) {
  try {
    return readFileSync(path, 'utf8').split('\n').length - 1;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const measured = code
  .map((path) => ({ path, lines: lines(path) }))
  .filter((file) => file.lines !== undefined);
const errors = [
  ...measured
    .filter((file) => file.lines > MOST)
    .map((f) => `${f.path}: ${f.lines} lines, at most ${MOST}: split it`),
  ...measured
    .filter((file) => drawer.test(file.path))
    .map((f) => `${f.path}: a drawer; name it after the thing in it`),
];
const notes = measured
  .filter((file) => file.path.startsWith('src/') && file.lines > ASKS_FOR_A_REASON && file.lines <= MOST)
  .map((file) => `note: ${file.path}: ${file.lines} lines, over ${ASKS_FOR_A_REASON} needs a reason`);

if (measured.length === 0) errors.push('no source file found: nothing was checked');
for (const line of [...notes, ...errors]) console.log(line);
console.log(`${measured.length} files, ${errors.length} errors, ${notes.length} notes`);
process.exitCode = errors.length > 0 ? 1 : 0;

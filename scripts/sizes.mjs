// Sizes and names: a file over 300 lines fails, one over 200 in src is listed, a drawer without a name fails.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const MOST = 300;
const ASKS_FOR_A_REASON = 200;

const plan = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const drawer = new RegExp(plan.forbidden.find((rule) => rule.name === 'no-drawers').to.path);

const FOLDERS = ['src', 'tests', 'bench', 'scripts', 'examples'];
const code = [...new Set(listed())].filter((path) => /\.(ts|mjs|cjs)$/.test(path)).sort();

/** What git tracks or would; in a checkout without a repository, where nothing is ignored, every file. */
function listed() {
  if (!existsSync('.git'))
    return FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path}`),
    );
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...FOLDERS];
  return execFileSync('git', words, { encoding: 'utf8' }).split('\0');
}

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

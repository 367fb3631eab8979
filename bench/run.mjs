// npm run bench -- [NAME…] [--json] [--strict] [--scenarios DIR]: bundles bench/NAME.ts, runs it, prints its figures.
// Exit 0 even when a goal is missed (1 with --strict), 1 when something could not be measured, 2 for bad usage.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'dist/bin/countersign.cjs');
const NOT_A_BENCH = new Set(['figure']);

const available = readdirSync(join(root, 'bench'))
  .filter((file) => /^[a-z-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -3))
  .filter((name) => !NOT_A_BENCH.has(name));

function refuse(message) {
  const list = available.length > 0 ? available.join(', ') : 'none';
  console.error(
    `${message}\navailable: ${list}\nusage: npm run bench -- [NAME…] [--json] [--strict] [--scenarios DIR]`,
  );
  process.exit(2);
}

const words = process.argv.slice(2);
const given = words.indexOf('--scenarios');
const scenarios = given < 0 ? undefined : words.splice(given, 2)[1];
if (given >= 0 && (scenarios === undefined || !existsSync(scenarios))) refuse('--scenarios needs a folder');
const flags = new Set(words.filter((word) => word.startsWith('-')));
for (const flag of flags) if (!['--json', '--strict'].includes(flag)) refuse(`unknown option: ${flag}`);
const named = words.filter((word) => !word.startsWith('-'));
const unknown = named.filter((name) => !available.includes(name));
if (unknown.length > 0) refuse(`no such bench, or not yet: ${unknown.join(', ')}`);
const names = named.length > 0 ? [...new Set(named)] : available;
if (names.length === 0) refuse('there is no bench yet');
// An old build would be measured under the name of this commit.
execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] });

// Inside the checkout, so that packages resolve from where the bundle lies.
mkdirSync(join(root, '.bench'), { recursive: true });
const directory = mkdtempSync(join(root, '.bench', 'run-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

async function load(contents, name) {
  const outfile = join(directory, `${name}.mjs`);
  await build({
    stdin: { contents, resolveDir: join(root, 'bench'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

const { table, machine, commit } = await load(
  `export { table, machine, commit } from './figure.ts';`,
  'figure',
);
const options = {
  root,
  bin,
  machine: machine(),
  commit: commit(root),
  ...(scenarios === undefined ? {} : { scenarios: resolve(scenarios) }),
};
const figures = [];
const failed = [];
for (const name of names) {
  console.error(`bench ${name} …`);
  try {
    const { measure } = await load(`export { measure } from './${name}.ts';`, name);
    const measured = await measure(options);
    if (measured.length === 0) throw new Error('it measured nothing');
    figures.push(...measured);
    if (flags.has('--json')) for (const figure of measured) console.log(JSON.stringify(figure));
  } catch (error) {
    failed.push(name);
    console.error(`bench ${name} could not be measured: ${error.stack ?? error}`);
  }
}

if (!flags.has('--json') && figures.length > 0) console.log(table(figures));
const missed = figures.filter((figure) => figure.met === false);
if (missed.length > 0) console.error(`goals missed: ${missed.map(({ figure }) => figure).join(', ')}`);
process.exitCode = failed.length > 0 || (flags.has('--strict') && missed.length > 0) ? 1 : 0;

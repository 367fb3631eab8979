import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, Files, Material } from './material.ts';
import { agreeing, answersOf } from './oracle.ts';

/** A package that publishes its tests: the sources of one version fail the tests of the next. */
export interface Pair {
  readonly name: 'qs' | 'minimist';
  readonly from: string;
  readonly to: string;
  /** The next version's tests ask for less or for something else than before: somebody has to agree to that. */
  readonly changesExpectation: boolean;
}

const pair = (name: Pair['name'], from: string, to: string, changesExpectation = false): Pair => ({
  name,
  from,
  to,
  changesExpectation,
});

/** Development dependencies of this repository, by the names `qs-6.14.0` and so on. */
export const PAIRS: readonly Pair[] = [
  pair('minimist', '1.1.1', '1.1.2'),
  pair('minimist', '1.1.2', '1.1.3'),
  pair('minimist', '1.1.3', '1.2.0'),
  pair('minimist', '1.2.0', '1.2.1'),
  pair('minimist', '1.2.1', '1.2.2'),
  pair('minimist', '1.2.7', '1.2.8', true),
  pair('qs', '6.9.2', '6.9.3'),
  pair('qs', '6.9.4', '6.9.6'),
  pair('qs', '6.9.6', '6.9.7'),
  pair('qs', '6.10.1', '6.10.2'),
  pair('qs', '6.10.2', '6.10.3'),
  pair('qs', '6.11.0', '6.11.1'),
  pair('qs', '6.11.2', '6.12.0'),
  pair('qs', '6.12.0', '6.12.1'),
  pair('qs', '6.12.1', '6.12.3'),
  pair('qs', '6.12.5', '6.13.0'),
  pair('qs', '6.13.3', '6.14.0'),
  pair('qs', '6.15.1', '6.15.2'),
  pair('qs', '6.15.2', '6.16.0'),
  pair('qs', '6.10.3', '6.10.5', true),
  pair('qs', '6.10.5', '6.11.0', true),
  pair('qs', '6.14.0', '6.14.1', true),
  pair('qs', '6.14.1', '6.14.2', true),
  pair('qs', '6.14.2', '6.15.0', true),
];

export const pairId = ({ name, from, to }: Pair): string => `${name}-${from}-${to}`;

/** Where the installed packages lie, and a folder to work in below which they are found. */
export interface Bench {
  readonly modules: string;
  readonly scratch: string;
}

/** Calls that the published tests make of the module, as far as JSON can hold them: the inputs of the oracle. */
const RECORDER = `
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const [main, out] = [process.env.MAIN, process.env.OUT];
const seen = new Set();
const plain = (v, depth = 0) => v === null || typeof v === 'string' || typeof v === 'boolean'
  || (typeof v === 'number' && Number.isFinite(v))
  || (depth < 6 && Array.isArray(v) && Object.keys(v).length === v.length && v.every((x) => plain(x, depth + 1)))
  || (depth < 6 && typeof v === 'object' && Object.getPrototypeOf(v) === Object.prototype
      && !Object.hasOwn(v, '__proto__') && Object.values(v).every((x) => plain(x, depth + 1)));
const wrap = (name, f) => Object.assign(function (...args) {
  if (args.length > 0 && args.every((x) => plain(x))) {
    const call = JSON.stringify({ export: name, args });
    if (call.length < 400 && seen.size < 900) seen.add(call);
  }
  return f.apply(this, args);
}, f);
const load = Module._load;
let wrapped;
Module._load = function (request, parent, isMain) {
  const loaded = load(request, parent, isMain);
  try { if (Module._resolveFilename(request, parent) !== main) return loaded; } catch { return loaded; }
  wrapped ??= typeof loaded === 'function' ? wrap('default', loaded)
    : Object.fromEntries(Object.entries(loaded).map(([k, v]) => [k, typeof v === 'function' ? wrap(k, v) : v]));
  return wrapped;
};
process.on('exit', () => writeFileSync(out, '[' + [...seen].join(',') + ']'));
`;

/** Reads both versions, lets the newer one's tests show which inputs matter, and asks both for their answers. */
export function pairMaterial(given: Pair, bench: Bench): Material {
  const { name } = given;
  const [from, to] = [given.from, given.to].map((version) => read(join(bench.modules, `${name}-${version}`)));
  if (from === undefined || to === undefined) throw new Error(`${pairId(given)} is not installed`);
  const entry = name === 'qs' ? 'lib/index.js' : 'index.js';
  const manifest = { name, version: given.from, license: 'MIT', main: entry };
  const base: Files = {
    ...from,
    'package.json': `${JSON.stringify({ ...manifest, scripts: { test: "tape 'test/**/*.js'" } }, null, 2)}\n`,
    'README.md': `# ${name}\n`,
  };
  const isTest = (path: string) => path.startsWith('test/');
  const differing = Object.keys(to).filter((path) => to[path] !== from[path]);
  const source = pick(
    to,
    differing.filter((path) => !isTest(path)),
  );
  const tests = pick(to, differing.filter(isTest));
  const folder = mkdtempSync(join(bench.scratch, 'pair-'));
  try {
    const [old, mended] = [join(folder, 'old'), join(folder, 'new')];
    write(old, base);
    write(mended, { ...base, ...source, ...tests });
    const all = recorded(mended, entry, bench);
    const answers = (top: string, calls: readonly Call[]) => answersOf(join(top, entry), calls, folder);
    const [before, after] = [answers(old, all), answers(mended, all)];
    const changed = all.flatMap((call, n) => {
      const answer = after[n];
      return answer !== undefined && agreeing(before.slice(n, n + 1), [answer]) === 0
        ? [{ call, answer }]
        : [];
    });
    const steady = all.flatMap((call, n) => {
      const answer = after[n];
      return answer !== undefined && agreeing(before.slice(n, n + 1), [answer]) === 1
        ? [{ call, answer }]
        : [];
    });
    if (changed.length === 0) throw new Error(`${pairId(given)}: no recorded input tells the versions apart`);
    return {
      id: pairId(given),
      words: [
        'pair',
        'cjs',
        name,
        'tape',
        ...(given.changesExpectation ? ['changes-expectation'] : ['additive']),
      ],
      program: 'tape',
      base,
      source,
      tests,
      main: Object.keys(source).find((path) => path.endsWith('.js')) ?? entry,
      test: Object.keys(tests).find((path) => path.endsWith('.js')) ?? 'test/parse.js',
      other: name === 'qs' ? 'lib/formats.js' : 'README.md',
      otherTest: Object.keys(base).find((path) => isTest(path) && !(path in tests)) ?? 'test/parse.js',
      entry,
      calls: all,
      onBase: before,
      onFixed: after,
      shown: changed,
      steady,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function recorded(top: string, entry: string, { modules, scratch }: Bench): readonly Call[] {
  const folder = mkdtempSync(join(scratch, 'record-'));
  try {
    writeFileSync(join(folder, 'recorder.cjs'), RECORDER);
    const out = join(folder, 'calls.json');
    const words = ['-r', join(folder, 'recorder.cjs'), join(modules, 'tape/bin/tape'), 'test/**/*.js'];
    const env = { PATH: process.env.PATH, MAIN: join(top, entry), OUT: out };
    spawnSync(process.execPath, words, { cwd: top, env, timeout: 60_000, stdio: 'ignore' });
    return JSON.parse(readFileSync(out, 'utf8')) as readonly Call[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the pair promises, by really running it: undefined when it holds. */
export function pairProblem({ id, base, source, tests }: Material, bench: Bench): string | undefined {
  const status = (files: Files) => {
    const top = mkdtempSync(join(bench.scratch, 'check-'));
    write(top, files);
    const words = [join(bench.modules, 'tape/bin/tape'), 'test/**/*.js'];
    const ended = spawnSync(process.execPath, words, { cwd: top, timeout: 60_000, stdio: 'ignore' });
    rmSync(top, { recursive: true, force: true });
    return ended.status;
  };
  if (status(base) !== 0) return `${id}: the old version fails its own tests`;
  if (status({ ...base, ...tests }) !== 1) return `${id}: the old sources pass the new tests`;
  if (status({ ...base, ...source, ...tests }) !== 0) return `${id}: the new version fails its own tests`;
  return undefined;
}

/** Sources and tests of an installed package; a top file that only gathers tests is none. */
function read(folder: string): Files {
  const found: Record<string, string> = {};
  const walk = (path: string) => {
    for (const item of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = path === '' ? item.name : `${path}/${item.name}`;
      if (item.isDirectory()) walk(inner);
      else if (/^(lib|test)\/.*\.js$|^index\.js$/.test(inner) && inner !== 'test/index.js')
        found[inner] = readFileSync(join(folder, inner), 'utf8');
    }
  };
  walk('');
  return found;
}

export function write(top: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
}

const pick = (files: Files, paths: readonly string[]): Files =>
  Object.fromEntries(paths.map((path) => [path, files[path] ?? '']));

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ended } from './ended.ts';
import { type Call, type Example, type Files, type Material, visible } from './material.ts';
import { agreeing, answersOf } from './oracle.ts';
import { type Pair, pairId } from './pairs.ts';
import { type Bench, recordedCalls } from './recorded-calls.ts';
import { exampleTest } from './tricks.ts';
import { write } from './write-files.ts';

const MOST_SHOWN = 8;
const isTest = (path: string) => path.startsWith('test/');
const usesTape = (text = '') => /require\(['"]tape['"]\)/.test(text);

/**
 * Reads both versions, lets the newer one's tests show which inputs matter, and asks both for their answers. Rejects where
 * no input tells the versions apart.
 */
export async function pairMaterial(pair: Pair, bench: Bench): Promise<Material> {
  const { name } = pair;
  const [from, to] = [pair.from, pair.to].map((version) => read(join(bench.modules, `${name}-${version}`)));
  if (from === undefined || to === undefined) throw new Error(`${pairId(pair)} is not installed`);
  const entry = name === 'qs' ? 'lib/index.js' : 'index.js';
  const base: Files = { ...from, 'package.json': manifestOf(pair, entry), 'README.md': `# ${name}\n` };
  const differing = Object.keys(to).filter((path) => to[path] !== from[path]);
  const source = pick(to, (path) => differing.includes(path) && !isTest(path));
  const tests = pick(to, (path) => differing.includes(path) && isTest(path));
  // Beside the tests there are files of cases that only tests read.
  const test = Object.keys(tests).find((path) => usesTape(tests[path])) ?? 'test/parse.js';
  const isAdditive = !pair.words.includes('changes-expectation');
  const material: Material = {
    id: pairId(pair),
    words: ['pair', 'cjs', name, 'tape', 'steady', ...pair.words, ...(isAdditive ? ['additive'] : [])],
    program: 'tape',
    base,
    source,
    tests,
    main: Object.keys(source).find((path) => path.endsWith('.js')) ?? entry,
    test,
    other: name === 'qs' ? 'lib/formats.js' : 'README.md',
    otherTest: otherTestOf(base, tests, test),
    entry,
    ...(await asked(pair, entry, base, { ...base, ...source, ...tests }, bench)),
  };
  const isOdd = !(await examplesHold(material, bench));
  return isOdd ? { ...material, words: [...material.words, 'odd'] } : material;
}

/** Whether the examples, written down as tests of plain values, pass on the mended work: prototypes cannot be written so. */
async function examplesHold(material: Material, { modules, scratch }: Bench): Promise<boolean> {
  const top = mkdtempSync(join(scratch, 'odd-'));
  try {
    const { base, source, tests } = material;
    const own = 'test/own-examples.js';
    write(top, { ...base, ...source, ...tests, [own]: exampleTest(material, visible(material)) });
    const tape = [join(modules, 'tape/bin/tape'), own];
    const { code } = await ended(process.execPath, tape, top, { PATH: process.env.PATH, NODE_PATH: modules });
    return code === 0;
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** A file of tests that the mending leaves alone; where it touches all of them, another one than its own. */
function otherTestOf(base: Files, tests: Files, test: string): string {
  const others = Object.keys(base).filter((path) => isTest(path) && path !== test && usesTape(base[path]));
  return others.find((path) => !(path in tests)) ?? others[0] ?? test;
}

const manifestOf = ({ name, from }: Pair, main: string) => {
  const scripts = { test: "tape 'test/**/*.js'" };
  return `${JSON.stringify({ name, version: from, license: 'MIT', main, scripts }, null, 2)}\n`;
};

type Asked = Pick<Material, 'calls' | 'onBase' | 'onFixed' | 'shown' | 'steady'>;

/** The inputs, and what both versions answer. */
async function asked(pair: Pair, entry: string, base: Files, fixed: Files, bench: Bench): Promise<Asked> {
  const folder = mkdtempSync(join(bench.scratch, 'pair-'));
  try {
    const [old, mended] = [join(folder, 'old'), join(folder, 'new')];
    write(old, base);
    write(mended, fixed);
    const answers = (top: string, calls: readonly Call[]) => answersOf(join(top, entry), calls, folder);
    const calls = [...(await recordedCalls(mended, entry, bench)), ...pair.more];
    const [onBase, onFixed] = [await answers(old, calls), await answers(mended, calls)];
    const examples = calls.flatMap((call, n) => {
      const answer = onFixed[n];
      return answer === undefined ? [] : [{ call, answer, same: agreeing(onBase.slice(n, n + 1), [answer]) }];
    });
    const shown: Example[] = [];
    for (const { call, answer, same } of examples) {
      if (same === 1 || shown.length === MOST_SHOWN) continue;
      // What other calls left behind in the module is no part of an example.
      if (agreeing(await answers(old, [call]), [answer]) === 0) shown.push({ call, answer });
    }
    if (shown.length === 0) throw new Error(`${pairId(pair)}: no recorded input tells the versions apart`);
    const steady = examples.flatMap(({ call, answer, same }) => (same === 1 ? [{ call, answer }] : []));
    return { calls, onBase, onFixed, shown, steady };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the pair promises, by really running it: undefined when it holds. */
export async function pairProblem(
  { id, words, base, source, tests, test }: Material,
  bench: Bench,
): Promise<string | undefined> {
  const run = async (files: Files) => {
    const top = mkdtempSync(join(bench.scratch, 'check-'));
    write(top, files);
    const tape = [join(bench.modules, 'tape/bin/tape'), 'test/**/*.js'];
    const told = await ended(process.execPath, tape, top, { PATH: process.env.PATH }, { timeout: 60_000 });
    rmSync(top, { recursive: true, force: true });
    return told;
  };
  const before = await run(base);
  if (before.code !== 0) return `${id}: the old version fails its own tests`;
  const red = await run({ ...base, ...tests });
  if (red.code !== 1) return `${id}: the old sources pass the new tests`;
  const after = await run({ ...base, ...source, ...tests });
  if (after.code !== 0) return `${id}: the new version fails its own tests`;
  const there = namesIn(after.out);
  const gone = [...namesIn(before.out)].filter((name) => !there.has(name));
  if (words.includes('additive') && gone.length > 0) return `${id}: tests are gone: ${gone.join(', ')}`;
  const says = (word: string, holds: boolean) =>
    words.includes(word) === holds ? undefined : `${id}: ${word} is ${holds ? 'missing' : 'wrong'}`;
  const rest = await run(pick({ ...base, ...tests }, (path) => path !== test));
  return says('throws', !/^# fail +\d+$/m.test(red.out)) ?? says('one-file', rest.code === 0);
}

/** Names of what was asserted; what was skipped asserts nothing. */
const namesIn = (tap: string): ReadonlySet<string> =>
  new Set(
    tap.split('\n').flatMap((line) => (/ # SKIP/i.test(line) ? [] : (/^ok \d+ (.*)$/.exec(line)?.[1] ?? []))),
  );

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

const pick = (files: Files, wanted: (path: string) => boolean): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => wanted(path)));

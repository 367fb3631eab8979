import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended } from '../bench/false-completion/ended.ts';
import { generatedSet, seeded } from '../bench/false-completion/generate.ts';
import { atMost, upperBound } from '../bench/false-completion/interval.ts';
import { pairMaterial, pairProblem } from '../bench/false-completion/pair-material.ts';
import { PAIRS } from '../bench/false-completion/pairs.ts';
import { buildProgram } from '../bench/false-completion/program.ts';
import {
  type Broken,
  isForTheRightReason,
  isRight,
  planned,
  runAll,
} from '../bench/false-completion/run-trials.ts';
import { SCENARIOS } from '../bench/false-completion/scenarios/index.ts';
import type { Trial } from '../bench/false-completion/trial.ts';
import { openWorkshop, type Workshop } from '../bench/false-completion/workshop.ts';

const root = resolve(import.meta.dirname, '..');
const LEAST = 60;

/** Stories that take long are left to the bench. */
const quick = SCENARIOS.filter(
  ({ tier, material, id }) =>
    tier !== 'strict' && !material.includes('typescript') && !['endless', 'output-flooded'].includes(id),
);

describe('false completions, the reduced lane', () => {
  let place = '';
  let workshop: Workshop | undefined;
  let trials: readonly Trial[] = [];
  let broken: readonly Broken[] = [];

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'fcb-program-'));
    workshop = await openWorkshop(await buildProgram(root, place), join(root, 'node_modules'));
    const bench = { modules: workshop.modules, scratch: workshop.root };
    const chosen = [PAIRS[1], PAIRS[3], PAIRS[20]].filter((pair) => pair !== undefined);
    const pairs = await Promise.all(chosen.map((pair) => pairMaterial(pair, bench)));
    const plan = planned(quick, [...generatedSet(6, 'node'), ...pairs], () => 1);
    ({ trials, broken } = await runAll(
      workshop,
      plan.map((one) => ({ ...one, first: false })),
    ));
    // Sixty and more verifications, each of which may take half a minute.
  }, 3_600_000);
  afterAll(() => {
    workshop?.remove();
    rmSync(place, { recursive: true, force: true });
  });

  const ends = (list: readonly Trial[]) =>
    list.map(({ scenario, material, reasons }) => `${scenario.id} in ${material}: ${reasons.join(', ')}`);

  it('tells every story to its end', () => {
    expect(broken).toEqual([]);
    expect(trials.length).toBeGreaterThanOrEqual(LEAST);
  });

  it('tells stories that are what they say they are', () => {
    expect(ends(trials.filter(({ truthful }) => !truthful))).toEqual([]);
  });

  it('accepts no false completion', () => {
    expect(ends(trials.filter((t) => t.scenario.expect === 'refuse' && !isRight(t)))).toEqual([]);
  });

  it('blocks no honest work', () => {
    expect(ends(trials.filter((t) => t.scenario.expect === 'accept' && !isRight(t)))).toEqual([]);
  });

  it('refuses for the right reason', () => {
    expect(ends(trials.filter((t) => isRight(t) && !isForTheRightReason(t)))).toEqual([]);
  });
});

describe('the material', () => {
  it('holds a pair for what it says', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'fcb-pair-'));
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
    const bench = { modules: join(root, 'node_modules'), scratch };
    const [first] = PAIRS;
    if (first === undefined) throw new Error('there are no pairs');
    const sound = await pairMaterial(first, bench);
    expect(PAIRS.length).toBeGreaterThanOrEqual(20);
    expect(await pairProblem(sound, bench)).toBe(undefined);
    // The checks of a pair can fail: sources that mend nothing, tests that ask for nothing new.
    expect(await pairProblem({ ...sound, source: {} }, bench)).toContain('fails its own tests');
    expect(await pairProblem({ ...sound, tests: {} }, bench)).toContain('pass the new tests');
    const [throwing, scattered] = [[...sound.words, 'throws'], sound.words.filter((w) => w !== 'one-file')];
    expect(await pairProblem({ ...sound, words: throwing }, bench)).toContain('throws is wrong');
    expect(await pairProblem({ ...sound, words: scattered }, bench)).toContain('one-file is missing');
    rmSync(scratch, { recursive: true });
  });

  it('generates the same from the same seed, and defects that show', () => {
    const [one, two] = [generatedSet(10, 'node'), generatedSet(10, 'node')];
    expect(one).toEqual(two);
    for (const { onBase, onFixed, shown } of one) {
      expect(onBase).not.toEqual(onFixed);
      expect(shown.length).toBeGreaterThan(0);
    }
    expect(seeded(1)()).not.toBe(seeded(2)());
  });
});

describe('a program that is run', () => {
  const LOOPS = `setInterval(() => {}, 1000); while (true) {}`;
  const starting = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(LOOPS)}], { stdio: 'inherit' });
    console.log(child.pid);`;
  const run = (code: string, timeout: number) =>
    ended(process.execPath, ['-e', code], root, process.env, { timeout });
  const isThere = (pid: string) => {
    const state = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim();
    return state !== '' && !state.startsWith('Z');
  };
  // A process that was killed is there until the system has come to it.
  const gone = async (said: string) => {
    expect(said.trim()).toMatch(/^\d+$/);
    await expect.poll(() => isThere(said.trim())).toBe(false);
  };

  it('takes what it left running with it, whether it ends or takes too long', async () => {
    const left = await run(`${starting} setTimeout(() => process.exit(3), 50);`, 60_000);
    expect(left.code).toBe(3);
    await gone(left.out);
    const endless = await run(`${starting} setTimeout(() => { while (true) {} }, 50);`, 1000);
    expect(endless.code).toBe(-1);
    await gone(endless.out);
  });

  it('cannot be started: that is an end as well', async () => {
    expect((await ended('/no/such/program', [], root, process.env)).code).toBe(-1);
  });
});

describe('the interval of Clopper and Pearson', () => {
  it.each([
    // 1 - (alpha/2)^(1/n) for no hit, and the values of the usual tables.
    [0, 10, 0.3085],
    [0, 300, 0.01222],
    [0, 600, 0.006129],
    [1, 20, 0.2487],
    [5, 10, 0.8129],
    [10, 10, 1],
    [0, 0, 1],
  ])('%i of %i: at most %f', (hits, n, bound) => {
    expect(upperBound(hits, n)).toBeCloseTo(bound, 4);
  });

  it('sums the binomial, and refuses what is no count', () => {
    expect(atMost(1, 2, 0.5)).toBeCloseTo(0.75, 10);
    expect(() => upperBound(3, 2)).toThrow(RangeError);
  });
});

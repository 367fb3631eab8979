import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORIES } from '../bench/false-completion/process/index.ts';
import { type NotTold, plannedStories, tellAll } from '../bench/false-completion/process/tell-story.ts';
import { isForTheRightReason, isRight } from '../bench/false-completion/run-trials.ts';
import type { Trial } from '../bench/false-completion/trial.ts';
import { openWorkshop, type Workshop } from '../bench/false-completion/workshop.ts';
import { runs } from './thoroughness.ts';

const root = resolve(import.meta.dirname, '..');

/** Told by default, each once; the others, and every ground of each, when all is played. */
const USUAL = [
  'own-token-under-another-name',
  'roles-taken',
  'child-that-verifies',
  'sock-puppets',
  'words-of-a-person',
  'one-who-speaks-for-all',
  'dissenter-killed',
  'invented-quotes',
  'same-work-before-others',
  'somebody-else-verifies',
  'mended-and-read-again',
];

describe('stories of names and reviews, the reduced lane', () => {
  let workshop: Workshop | undefined;
  let trials: readonly Trial[] = [];
  let broken: readonly NotTold[] = [];
  const usual = runs(1, 0) === 1;

  beforeAll(async () => {
    workshop = await openWorkshop(join(root, 'dist/bin/countersign.cjs'), join(root, 'node_modules'));
    const chosen = usual ? STORIES.filter(({ id }) => USUAL.includes(id)) : STORIES;
    ({ trials, broken } = await tellAll(workshop, plannedStories(chosen, usual)));
  });
  afterAll(() => workshop?.remove());

  const ends = (list: readonly Trial[]) =>
    list.map(({ scenario, material, reasons, said }) => `${scenario.id} on ${material}: ${reasons} ${said}`);

  it('tells every story to its end, and each is what it says', () => {
    expect(broken.map(({ story, because }) => `${story.id}: ${because}`)).toEqual([]);
    expect(ends(trials.filter(({ truthful }) => !truthful))).toEqual([]);
    expect(trials.length).toBeGreaterThanOrEqual(USUAL.length);
  });

  it('lets nothing be done against the rules', () => {
    expect(ends(trials.filter((t) => t.scenario.expect === 'refuse' && !isRight(t)))).toEqual([]);
  });

  it('blocks nobody who keeps them', () => {
    expect(ends(trials.filter((t) => t.scenario.expect === 'accept' && !isRight(t)))).toEqual([]);
  });

  it('refuses for the right reason', () => {
    expect(ends(trials.filter((t) => isRight(t) && !isForTheRightReason(t)))).toEqual([]);
  });
});

describe('the stories', () => {
  it('have names of their own, and an honest neighbour for every row', () => {
    const ids = STORIES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rows = (expected: string) =>
      new Set(STORIES.filter(({ expect: end }) => end === expected).flatMap((one) => one.rows));
    const asked = [
      'D1',
      'D2',
      'D3',
      'D4',
      'D5',
      'D6',
      'D7',
      'D8',
      'D9',
      'D10',
      'D11',
      'D12',
      'D13',
      'D14',
      'D15',
    ];
    expect(asked.filter((row) => !rows('refuse').has(row))).toEqual([]);
    expect(asked.filter((row) => !rows('accept').has(row))).toEqual([]);
  });
});

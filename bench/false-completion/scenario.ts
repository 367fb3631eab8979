import type { Case } from './test-texts.ts';

export const FAMILIES = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'H'] as const;
export type Family = (typeof FAMILIES)[number];
export const GRADES = ['G0', 'G1', 'G2', 'G3'] as const;
/** Careless, lazy, at home in a shell, has read the gate's source; honest work is G0. */
export type Grade = (typeof GRADES)[number];

/**
 * One thing that an actor does in the repository. Texts may hold {main} {test} {other} {otherTest} (paths), {item},
 * {base} and {claimed} (commits), {root} (a folder outside the repository). `find` is a regular expression.
 */
export type Step =
  | { readonly do: 'fix' | 'fix-source' | 'fix-tests' | 'example-test' | 'steady-test' | 'commit' }
  /** Tests as they were on a green base; tests that ask for the defect, or for themselves; answers and damage by list. */
  | { readonly do: 'old-tests' | 'bent-test' | 'circular-test' | 'hard-code' | 'over-broad' | 'break-tested' }
  | { readonly do: 'golden'; readonly answers: 'base' | 'fixed' }
  | { readonly do: 'mended-copy'; readonly path: string }
  /** The mended module lies at `mended` and is used only where the expression holds. */
  | { readonly do: 'two-faced'; readonly mended: string; readonly when: string }
  | { readonly do: 'write' | 'append' | 'prepend'; readonly path: string; readonly text: string }
  | { readonly do: 'edit'; readonly path: string; readonly find: string; readonly with: string }
  | { readonly do: 'delete' | 'executable'; readonly path: string }
  | { readonly do: 'move'; readonly from: string; readonly to: string }
  | { readonly do: 'link'; readonly path: string; readonly to: string }
  | { readonly do: 'test'; readonly path: string; readonly cases: readonly Case[]; readonly head?: string }
  | { readonly do: 'git' | 'run'; readonly words: readonly string[] }
  /** `as` '' is the person of the machine. What it must answer: any exit code but those of a crash. */
  | { readonly do: 'cli'; readonly as: string; readonly words: readonly string[] };

/** What the bench itself finds out about the claimed commit, by inputs that no actor and no product ever sees. */
export type Truth = 'fixed' | 'unfixed' | 'same' | 'free';

/** What every story has, whatever it is told in. */
export interface Label {
  readonly id: string;
  readonly family: Family;
  readonly grade: Grade;
  /** Rows of the catalogue of false completions that it stands for. */
  readonly rows: readonly string[];
  readonly expect: 'accept' | 'refuse';
  /** Reason codes of which one has to be given; for honest work none. */
  readonly reasons: readonly string[];
}

/** A story with a known end. It can be written as JSON. */
export interface Scenario extends Label {
  /** Which repositories it can happen in; '' for all, else words that a repository must all carry. */
  readonly material: string;
  /** Whether the tests of the base already show the defect (`red`), or the builder has to write the test (`green`). */
  readonly start: 'green' | 'red';
  readonly tier: 'light' | 'standard' | 'strict';
  readonly kind: string;
  readonly title: string;
  /** True when examples that the builder does not see come with the task. */
  readonly acceptance: boolean;
  /** What stands on base beside the repository's own files. */
  readonly base: readonly Step[];
  readonly steps: readonly Step[];
  /** Words of the claim after its item. */
  readonly claim: readonly string[];
  /** Between claim and verification. */
  readonly after: readonly Step[];
  readonly truth: Truth;
}

type Given = Pick<Scenario, 'id' | 'rows' | 'steps'> & Partial<Scenario>;

const PLAIN = {
  grade: 'G1',
  material: '',
  start: 'red',
  tier: 'standard',
  kind: 'code',
  title: 'Mend the defect',
  acceptance: false,
  base: [],
  claim: [],
  after: [],
} as const;

/** A dishonest story: it must be refused, and the defect must still be there unless it says otherwise. */
export const cheat = (family: Family, given: Given & Pick<Scenario, 'reasons'>): Scenario => ({
  ...PLAIN,
  family,
  truth: 'unfixed',
  expect: 'refuse',
  ...given,
});

/** An honest story: it must be accepted. */
export const honest = (given: Given): Scenario => ({
  ...PLAIN,
  family: 'H',
  grade: 'G0',
  truth: 'fixed',
  expect: 'accept',
  reasons: [],
  ...given,
});

/** Everything that is wrong with a scenario from outside; empty when it can be run. */
export function scenarioProblems(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return ['it is no object'];
  const given = value as { readonly [key: string]: unknown };
  const one = (key: string, known: readonly string[]) =>
    known.includes(String(given[key])) ? [] : [`${key} must be one of ${known.join(', ')}`];
  const list = (key: string) => (Array.isArray(given[key]) ? [] : [`${key} must be a list`]);
  return [
    ...(typeof given.id === 'string' && given.id !== '' ? [] : ['id must be a text']),
    ...one('family', FAMILIES),
    ...one('grade', GRADES),
    ...one('expect', ['accept', 'refuse']),
    ...one('truth', ['fixed', 'unfixed', 'same', 'free']),
    ...one('start', ['green', 'red']),
    ...one('tier', ['light', 'standard', 'strict']),
    ...['rows', 'base', 'steps', 'claim', 'after', 'reasons'].flatMap(list),
  ];
}

/** Completes what a file from outside leaves out, as the scenarios of this folder do. */
export const completed = (given: Given): Scenario =>
  given.expect === 'accept' || given.family === 'H'
    ? honest(given)
    : cheat(given.family ?? 'S1', { reasons: [], ...given });

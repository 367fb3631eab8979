import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkProtocol } from '../src/kernel/check/check.ts';
import type { Finding, Report } from '../src/kernel/check/report.ts';
import { ROSTERS, type RosterName } from '../src/kernel/check/roster.ts';
import type { Setup } from '../src/kernel/check/setup.ts';
import { parseProtocol } from '../src/kernel/parse-protocol.ts';
import type { Protocol } from '../src/kernel/protocol.ts';
import { BUILT_IN } from '../src/protocols/index.ts';
import { phaseWithReview, setupOf } from '../src/protocols/setups.ts';
import { twoPhase } from '../src/protocols/two-phase.ts';
import { goals } from './fixtures/protocols/goals.ts';
import { lifecycle } from './fixtures/protocols/lifecycle.ts';
import { staged } from './fixtures/protocols/staged.ts';
import { runs } from './thoroughness.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures/protocols');
const read = (path: string): unknown => JSON.parse(readFileSync(join(FIXTURES, path), 'utf8'));
const errors = (report: Report) => report.findings.filter((f) => f.severity === 'error');

function parsed(value: unknown): Protocol {
  const result = parseProtocol(value);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.protocol;
}

describe('sound protocols', () => {
  const subjects: [name: string, subject: Protocol | Setup][] = [
    ['two-phase', twoPhase],
    ['staged', staged],
    ['the base of the broken ones', parsed(read('sound.json'))],
  ];

  it.each(subjects)('%s: every cast, every setting, no error', (_, subject) => {
    const report = checkProtocol(subject);
    expect(errors(report)).toEqual([]);
    expect(report.cut).toBe(false);
    expect(report.rosters).toEqual(['peers', 'one-root', 'free-for-all', 'pair', 'solo']);
    expect(report.states).toBeGreaterThan(0);
    expect(report.edges).toBeGreaterThan(report.states);
    expect(report.proved).toEqual(expect.arrayContaining(['dead-end', 'verdict', 'self-verdict', 'promise']));
  });
});

describe('the larger protocols that ship', () => {
  // Every setting of these takes minutes: `npm run bench -- protocols` looks at all of it and prints the numbers.
  const subjects: [name: string, subject: Protocol | Setup, rosters: readonly RosterName[]][] = [
    ['lifecycle', BUILT_IN.lifecycle as Protocol, ROSTERS],
    ['goal-task', BUILT_IN['goal-task'] as Protocol, ROSTERS],
    ['goal', setupOf(BUILT_IN.goal as Protocol), ['free-for-all', 'pair', 'solo']],
    // `free-for-all` has more than 400,000 states: nothing is claimed of it.
    [
      'staged',
      BUILT_IN.staged as Protocol,
      runs(0, 1) === 1 ? ['peers', 'solo', 'pair', 'one-root'] : ['peers', 'solo'],
    ],
  ];

  it.each(subjects)('%s: no error under the default settings', (_, subject, rosters) => {
    const report = checkProtocol(subject, { rosters, settings: 'defaults' });
    expect(errors(report)).toEqual([]);
    expect(report.cut).toBe(false);
    expect(report.states).toBeGreaterThan(800);
  });
});

describe('a phase with its review', () => {
  // A set of two reviewers cannot be short of one voice and have more than half: those rows are seen with three.
  const withTwo: Setup = {
    ...phaseWithReview,
    streams: Object.fromEntries(Object.entries(phaseWithReview.streams).filter(([id]) => id !== 'rev3')),
    links: { ...phaseWithReview.links, review: { phase: ['phase'], reviewers: ['rev1', 'rev2'] } },
  };
  const needsThree = /^spawning, open abort (approved|changes) is never taken$/;

  it('has no dead end and no way past a verdict, with two reviewers', () => {
    const report = checkProtocol(withTwo, { rosters: ['peers'], settings: 'defaults' });
    expect(errors(report).filter(({ what }) => !needsThree.test(what))).toEqual([]);
    expect(report.cut).toBe(false);
    expect(report.states).toBeGreaterThan(10_000);
  });

  // Sixty thousand moments: minutes.
  if (runs(0, 1) > 0)
    it('and none with three', () => {
      const report = checkProtocol(phaseWithReview, { rosters: ['peers'], settings: 'defaults' });
      expect(errors(report)).toEqual([]);
      expect(report.cut).toBe(false);
    });
});

interface Broken {
  readonly expect: { readonly property: string; readonly says: string; readonly path: readonly string[] };
  readonly protocol: unknown;
  readonly told?: unknown;
}

/** A refused table reports its problems; a playable one is played. */
function findingsIn({ protocol, told }: Broken): readonly Finding[] {
  const result = parseProtocol(protocol);
  if (!result.ok) {
    return result.problems.map((what) => ({
      property: 'well-formed',
      severity: 'error',
      what,
      path: [],
      roster: '',
    }));
  }
  if (told === undefined) return checkProtocol(result.protocol).findings;
  return checkProtocol({
    name: 'two items',
    main: 'first',
    streams: { first: { protocol: result.protocol, seat: '' }, second: { protocol: parsed(told), seat: '' } },
    links: { first: { next: ['second'] } },
    alike: [],
  }).findings;
}

describe('broken protocols', () => {
  it.each(readdirSync(join(FIXTURES, 'broken')))('%s is found out, with the way there', (file) => {
    const broken = read(join('broken', file)) as Broken;
    const found = findingsIn(broken).find(
      (f) => f.property === broken.expect.property && f.what.includes(broken.expect.says),
    );
    expect(found).toMatchObject({ severity: 'error', path: broken.expect.path });
  });
});

describe('the explorer', () => {
  it('proves nothing when it was cut', () => {
    const report = checkProtocol(lifecycle, { cap: 100 });
    expect(report.cut).toBe(true);
    expect(report.proved).toEqual([]);
    expect(report.states).toBeLessThan(120);
  });

  it('proves nothing about a table that is not well-formed, and does not play it', () => {
    const report = checkProtocol({ ...lifecycle, initial: 'nowhere' });
    expect(report).toMatchObject({ states: 0, cut: false, proved: [] });
    expect(report.findings[0]).toMatchObject({
      property: 'well-formed',
      what: 'lifecycle: the initial state nowhere is not a state',
    });
  });

  it('tells which casts cannot reach a success alone, and where only people lead on', () => {
    const notes = checkProtocol(lifecycle, { rosters: ['solo'] }).findings.filter(
      (f) => f.severity === 'note',
    );
    expect(notes.map((f) => f.property)).toEqual(expect.arrayContaining(['no-success', 'needs-human']));
  });

  it('tells that agents alone can rework for ever', () => {
    const report = checkProtocol(goals, { rosters: ['peers'] });
    expect(report.findings.find((f) => f.property === 'endless')?.what).toContain('agents alone');
  });

  it('says the same twice', () => {
    expect(checkProtocol(staged, { rosters: ['one-root'] })).toEqual(
      checkProtocol(staged, { rosters: ['one-root'] }),
    );
  });
});

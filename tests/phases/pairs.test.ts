import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { PHASE_STATES } from './stage.ts';
import { openTried, type Tried, tryEverything } from './try-everything.ts';

let tried: Tried;
beforeAll(async () => {
  tried = await openTried();
});
afterAll(() => tried.close());

/** The lists of the seed, with the edges that the resolutions added. */
const LISTED: readonly string[] = [
  ...['PENDING>ACTIVE', 'ACTIVE>AWAITING_REVIEW', 'AWAITING_REVIEW>UNDER_REVIEW'],
  ...['UNDER_REVIEW>APPROVED', 'UNDER_REVIEW>REJECTED', 'UNDER_REVIEW>REVISING', 'UNDER_REVIEW>ESCALATED'],
  ...['APPROVED>COMPLETED', 'REJECTED>REVISING', 'REJECTED>ACTIVE', 'REVISING>ACTIVE'],
  ...['REVISING>AWAITING_REVIEW', 'ESCALATED>AWAITING_REVIEW', 'ESCALATED>APPROVED'],
  // Two tries to start reviewers (CH-12), new reviewers after fixes (CH-06), a cap that is used up.
  ...['AWAITING_REVIEW>ESCALATED', 'REJECTED>AWAITING_REVIEW', 'REJECTED>ESCALATED', 'REVISING>ESCALATED'],
  'ACTIVE>ESCALATED',
];

describe.each(['PENDING', 'ACTIVE', 'AWAITING_REVIEW', 'UNDER_REVIEW', 'COMPLETED'] as const)(
  'from %s',
  (state) => {
    it('PHASE-03: no tool and no command leads anywhere but where the lists say', () =>
      tryEverything(tried, state));
  },
);

it('PHASE-03: of 81 pairs the listed ones are in the table, and no other was ever taken', async () => {
  const table = (BUILT_IN.phase?.rows ?? []).flatMap(({ from, to: into }) =>
    [from].flat().map((one) => `${one}>${into === '@same' ? one : into}`),
  );
  const moved = new Set(table.filter((pair) => pair.split('>')[0] !== pair.split('>')[1]));
  expect([...moved].toSorted()).toEqual([...LISTED].toSorted());
  for (const phase of await everyPhase()) {
    const events = await tried.stage.s.events(phase);
    for (const event of events)
      if (event.type === 'moved' && event.from !== event.to)
        expect(LISTED).toContain(`${event.from}>${event.to}`);
  }
});

const everyPhase = () =>
  tried.stage.s.with(async ({ ports }) => {
    const rows = await ports.store.items({
      ...{ list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: 500 },
    });
    return rows.filter(({ protocol }) => protocol === 'phase').map(({ id }) => id);
  });

it('PHASE-01: a phase is in one of nine states; any other name is none', async () => {
  expect(Object.keys(BUILT_IN.phase?.states ?? {})).toEqual(PHASE_STATES);
  for (const state of PHASE_STATES) await tried.stage.must('', 'list', '--state', state);
  const { code, error } = await tried.stage.s.say('', 'list', '--state', 'REVIEWED');
  expect([code, error.message]).toEqual([2, 'there is no state REVIEWED']);
});

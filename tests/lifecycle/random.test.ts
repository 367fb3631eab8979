import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/kernel/command.ts';
import { decide } from '../../src/kernel/decide.ts';
import { mayLead } from '../../src/kernel/edges.ts';
import { evolve } from '../../src/kernel/evolve.ts';
import { record } from '../../src/kernel/record.ts';
import type { WorkItem } from '../../src/kernel/work-item.ts';
import { lifecycle } from '../../src/protocols/lifecycle.ts';
import { agent, commandOf, ENGINE, given, human } from '../given.ts';
import type { Session } from '../session.ts';
import {
  add,
  asPerson,
  bring,
  FORWARD,
  guide,
  MEMBERS,
  move,
  ORDER,
  OWNER_OF,
  onward,
  openLifecycle,
  path,
  type State,
  stateOf,
  told,
  type Working,
} from './crew.ts';

// Section H: what holds whatever is tried, in whatever order, by whomever.
const roster = [...lifecycle.roles.map((role) => agent(role, [role])), human('pat')];
const world = { roster, groups: {} };
const commands = [...new Set(lifecycle.rows.map(({ command }) => command))];
const one = fc.record({
  actor: fc.nat(roster.length - 1),
  command: fc.oneof(
    { weight: 6, arbitrary: fc.constant('fail') },
    { weight: 4, arbitrary: fc.constantFrom('onward', 'return') },
    { weight: 2, arbitrary: fc.constantFrom(...commands, 'PASSED', 'BLOCKED') },
  ),
  right: fc.boolean(),
  to: fc.constantFrom(...Object.keys(lifecycle.states)),
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constant('satisfied' as const) },
    { weight: 1, arbitrary: fc.constant('unsatisfied' as const) },
  ),
});
type One = typeof one extends fc.Arbitrary<infer T> ? T : never;

/** What an actor tries: often the right one, else anybody. What is refused changes nothing. */
function attempt(item: WorkItem, { actor, command: asked, right, to, status }: One, n: number) {
  const forward = lifecycle.rows.find((r) => r.from.includes(item.state) && r.counts.includes('0failures'));
  const name = asked === 'onward' ? (forward?.command ?? 'resolve') : asked;
  const row = lifecycle.rows.find((r) => r.command === name);
  const owner = lifecycle.states[item.state]?.owner;
  const wanted = row?.by.includes('@owner') ? owner : row?.by.find((role) => role !== 'human');
  const fitting = roster.find(({ roles, kind }) => (wanted ? roles.includes(wanted) : kind === 'human'));
  const by = (right ? fitting : undefined) ?? roster[actor] ?? ENGINE;
  const at = new Date(Date.UTC(2026, 0, 5) + n * 60_000).toISOString();
  if (name === 'PASSED' || name === 'BLOCKED') {
    const finding = { kind: 'proof-pack', outcome: name, facts: {}, asker: by };
    return record(lifecycle, item, commandOf('proof-pack', { by: ENGINE, at }), finding, world);
  }
  const command = { ...commandOf(name, { by, at, given: { to, guidance: 'g', commit: 'c' } }), reason: 'r' };
  const finding: Finding = { status, because: '', fix: '' };
  const probes = Object.fromEntries(lifecycle.probes.map((probe) => [probe, finding]));
  return decide(lifecycle, item, command, world, {
    probes,
    subjects: { commit: `c${n}`, plan: `p${n}` },
    facts: {},
  });
}

function play(moves: readonly One[], look: (before: WorkItem, after: WorkItem, origin: string) => void) {
  let { item } = given(lifecycle, roster);
  moves.forEach((move, n) => {
    const decision = attempt(item, move, n);
    if (decision.kind === 'refused') return;
    for (const event of decision.events) {
      const next = evolve(lifecycle, item, event);
      look(item, next, event.type === 'moved' ? event.origin : '');
      item = next;
    }
  });
  return item;
}

const plays = fc.array(one, { minLength: 30, maxLength: 120, size: 'max' });
const SEEDED = { seed: 5, numRuns: 300 };

describe('LIFE-92, LIFE-93: over random play by random actors', () => {
  test('LIFE-92, LIFE-67: no state has more than three failures, and three only where somebody has to see to it', () => {
    let thirds = 0;
    fc.assert(
      fc.property(plays, (moves) => {
        play(moves, (_, after) => {
          for (const [key, n] of Object.entries(after.counters)) {
            if (!key.startsWith('failures@')) continue;
            expect(n).toBeLessThanOrEqual(3);
            if (n < 3) continue;
            thirds += 1;
            expect(['cto_intervention', 'human_escalation', 'failed']).toContain(after.state);
          }
        });
      }),
      SEEDED,
    );
    expect(thirds).toBeGreaterThan(100);
  });

  test('LIFE-93, LIFE-66: no item has more than two interventions, and the next limit is a person’s', () => {
    let persons = 0;
    fc.assert(
      fc.property(plays, (moves) => {
        let called = 0;
        play(moves, (before, after) => {
          const enters = before.state !== after.state && after.state === 'cto_intervention';
          const counted = (after.counters.interventions ?? 0) - (before.counters.interventions ?? 0);
          expect(after.counters.interventions ?? 0).toBeLessThanOrEqual(2);
          expect([0, 1]).toContain(counted);
          if (enters && counted === 1) called += 1;
          if (after.state === 'human_escalation') {
            persons += 1;
            expect(called).toBe(2);
          }
        });
      }),
      SEEDED,
    );
    expect(persons).toBeGreaterThan(20);
  });

  test('LIFE-26, LIFE-94: every step is one that the pure question calls legal', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(plays, (moves) => {
        play(moves, (before, after) => {
          if (after.steps.length === before.steps.length) return;
          seen.add(`${before.state}>${after.state}`);
          if (before.state === after.state && after.steps.at(-1)?.command === 'propose') return;
          expect([before.state, after.state, mayLead(lifecycle, before.state, after.state)]).toEqual([
            before.state,
            after.state,
            true,
          ]);
        });
      }),
      SEEDED,
    );
    expect(seen.size).toBeGreaterThan(35);
  });
});

let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

/** A fixed sequence of numbers, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let n = seed;
  return (below) => {
    n = (n * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((n / 2_147_483_648) * below);
  };
}

/** One legal step from where the item stands. */
async function anyStep(id: string, next: (below: number) => number): Promise<void> {
  const state = await stateOf(s, id);
  if (state === 'cto_intervention') {
    const back =
      next(2) === 0 ? guide(s, id, 'return', 'advice') : guide(s, id, 'rollback', 'anew', '--to', 'pending');
    await back;
  } else if (state === 'human_escalation')
    await asPerson(s, id, 'resolve', { to: ORDER[next(7)] ?? 'planning' });
  else if (next(2) === 0) await move(s, OWNER_OF[state as Working], id, 'fail');
  else await onward(s, id, state as Working);
}

test.each([3, 7, 11])(
  'LIFE-57: over twenty random legal steps (%i) state and history always agree',
  async (seed) => {
    const next = numbers(seed);
    const id = await add(s);
    let steps = 0;
    for (let tries = 0; steps < 20 && tries < 60; tries++) {
      const before = (await told(s, id)).stateHistory.length;
      if ((await stateOf(s, id)) === 'completed') break;
      await anyStep(id, next);
      const { currentState, previousState, stateHistory } = await told(s, id);
      if (stateHistory.length > before) steps += 1;
      const last = stateHistory.at(-1);
      expect([currentState, previousState]).toEqual([last?.toState, last?.fromState || undefined]);
      // Each entry begins where the one before it ended.
      stateHistory.slice(1).forEach((entry, n) => {
        expect(entry.fromState).toBe(stateHistory[n]?.toState);
      });
    }
    expect(steps).toBeGreaterThanOrEqual(10);
  },
);

test('LIFE-89: of twenty who take the same step at once one takes it, and the history is one line', async () => {
  const id = await add(s);
  const said = await Promise.all(Array.from({ length: 20 }, () => move(s, 'orchestrator', id, 'assign')));
  expect(said.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(new Set(said.filter(({ code }) => code !== 0).map(({ error }) => error.code))).toEqual(
    new Set(['no-transition']),
  );
  expect(path((await told(s, id)).stateHistory)).toEqual(['>pending', 'pending>assigned']);
});

test('LIFE-89: where different steps race, whoever comes second is judged by what the first left', async () => {
  const id = await bring(s, 'planning');
  const all = await Promise.all(
    MEMBERS.flatMap((by) => Object.values(FORWARD).map(([, command]) => move(s, by, id, command))),
  );
  expect(all.some(({ code }) => code === 0)).toBe(true);
  const { stateHistory, currentState } = await told(s, id);
  const states = stateHistory.map((t) => t.toState);
  stateHistory.slice(1).forEach((entry, n) => {
    expect(entry.fromState).toBe(states[n]);
  });
  expect(states.at(-1)).toBe(currentState satisfies string as State);
  expect((await s.say('', 'audit', 'verify')).code).not.toBe(1);
});

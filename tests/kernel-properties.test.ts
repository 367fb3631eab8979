import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Actor, related } from '../src/kernel/actor.ts';
import type { Finding } from '../src/kernel/command.ts';
import { decide } from '../src/kernel/decide.ts';
import type { ItemEvent } from '../src/kernel/event.ts';
import { evolve, fold } from '../src/kernel/evolve.ts';
import { latestEvidence } from '../src/kernel/freshness.ts';
import { expand } from '../src/kernel/protocol.ts';
import { record } from '../src/kernel/record.ts';
import { targetsOf } from '../src/kernel/target.ts';
import { UNOPENED, type WorkItem } from '../src/kernel/work-item.ts';
import { twoPhase } from '../src/protocols/two-phase.ts';
import { agent, commandOf, ENGINE, given, human, NOW } from './given.ts';

// Two lineages and a person: a root with children that hold everything, and a stranger.
const everything = [...twoPhase.roles];
const roster: readonly Actor[] = [
  agent('root', everything),
  agent('ann', everything, ['root']),
  agent('minion', everything, ['ann', 'root']),
  agent('ben', everything, ['root']),
  agent('eve', everything),
  human('pat'),
];
const commands = [...new Set(twoPhase.rows.map((row) => row.command)), 'dance'];
const world = { roster, groups: {} };

interface Move {
  readonly actor: number;
  readonly what: string;
  readonly to: number;
  readonly status: Finding['status'];
}

const finds = twoPhase.evidence.flatMap((row) => row.outcomes.map((outcome) => `${row.kind}=${outcome}`));
const move: fc.Arbitrary<Move> = fc.record({
  actor: fc.nat(roster.length - 1),
  what: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('claim', 'verify', 'complete', 'proof-pack=PASSED', 'final-report=WRITTEN'),
    },
    { weight: 3, arbitrary: fc.constantFrom(...commands, ...finds) },
    { weight: 1, arbitrary: fc.constantFrom('retry', 'failure-review=seen', 'subject') },
  ),
  to: fc.nat(roster.length - 1),
  status: fc.oneof(
    { weight: 8, arbitrary: fc.constant('satisfied' as const) },
    { weight: 1, arbitrary: fc.constantFrom('unsatisfied' as const, 'error' as const) },
  ),
});
const settings = fc.record(
  Object.fromEntries(
    Object.entries(twoPhase.settings).map(([name, values]) => [name, fc.constantFrom(...values)]),
  ),
);

/** Tries a move; whatever is refused changes nothing. */
function attempt(item: WorkItem, { actor, what, to, status }: Move, n: number): readonly ItemEvent[] {
  const by = roster[actor] ?? ENGINE;
  if (what === 'subject') {
    return [{ type: 'subject-moved', at: NOW, by: by.id, subject: 'commit', digest: `c${n % 2}` }];
  }
  const [kind = '', outcome] = what.split('=');
  if (outcome !== undefined) {
    const engine = twoPhase.evidence.find((row) => row.kind === kind)?.by.includes('engine') ?? false;
    const command = commandOf(kind, { by: engine ? ENGINE : by, proof: by.kind === 'human' });
    const decision = record(twoPhase, item, command, { kind, outcome, facts: {}, asker: by }, world);
    return decision.kind === 'accepted' ? decision.events : [];
  }
  const probes = Object.fromEntries(twoPhase.probes.map((p) => [p, { status, because: p, fix: '' }]));
  const command = commandOf(what, { by, given: { to: roster[to]?.id ?? '' } });
  const decision = decide(twoPhase, item, command, world, {
    probes,
    subjects: { commit: `c${n % 2}` },
    facts: {},
  });
  return decision.kind === 'accepted' ? decision.events : [];
}

/** Plays the moves and shows every step: the item before, the event, the item after. */
function play(
  moves: readonly Move[],
  chosen: Parameters<typeof given>[2],
  look: (before: WorkItem, event: ItemEvent, after: WorkItem) => void,
): readonly ItemEvent[] {
  const story = given(twoPhase, roster, chosen);
  const events: ItemEvent[] = [...story.events];
  let item = story.item;
  moves.forEach((one, n) => {
    for (const event of attempt(item, one, n)) {
      const after = evolve(twoPhase, item, event);
      look(item, event, after);
      item = after;
      events.push(event);
    }
  });
  return events;
}

const plays = fc.tuple(fc.array(move, { maxLength: 80, size: 'max' }), settings);

describe('random play of two-phase', () => {
  it('never enters a state by a move that is not a row of the table', () => {
    fc.assert(
      fc.property(plays, ([moves, chosen]) => {
        play(moves, chosen, (before, event, after) => {
          if (event.type !== 'moved') return expect(after.state).toBe(before.state);
          if (event.row === -1) return expect(twoPhase.rows.some((row) => row.via === event.to)).toBe(true);
          const row = twoPhase.rows[event.row];
          expect(row && expand(twoPhase, row.from)).toContain(event.origin);
          expect(row && targetsOf(twoPhase, row, { ...before, state: event.origin })).toContain(event.to);
          expect(after.state).toBe(event.to);
        });
      }),
    );
  });

  it('replay gives the same item', () => {
    fc.assert(
      fc.property(plays, ([moves, chosen]) => {
        let last = UNOPENED;
        const events = play(moves, chosen, (_, __, after) => {
          last = after;
        });
        const replayed = fold(twoPhase, JSON.parse(JSON.stringify(events)));
        if (last !== UNOPENED) expect(replayed).toEqual(last);
        expect(replayed.version).toBe(events.length);
      }),
    );
  });

  it('nobody verifies what their own lineage built', () => {
    let verified = 0;
    fc.assert(
      fc.property(plays, ([moves, chosen]) => {
        play(moves, chosen, (before, event) => {
          if (event.type !== 'moved' || event.to !== 'verified' || event.command !== 'verify') return;
          verified++;
          const by = roster.find((a) => a.id === event.by);
          const builders = roster.filter((a) => before.marks.builder?.includes(a.id));
          expect(builders.length).toBeGreaterThan(0);
          expect(builders.some((b) => by === undefined || related(b, by))).toBe(false);
        });
      }),
      { numRuns: 400 },
    );
    expect(verified).toBeGreaterThan(0);
  });

  it('verified and completed always rest on a fresh PASSED of this attempt', () => {
    fc.assert(
      fc.property(plays, ([moves, chosen]) => {
        play(moves, chosen, (before, event) => {
          if (event.type !== 'moved' || !['verify', 'complete'].includes(event.command)) return;
          const pack = latestEvidence(before, 'proof-pack');
          expect(pack).toMatchObject({ outcome: 'PASSED', attempt: before.attempt });
          expect(pack?.generation).toBe(before.subjects.commit?.generation);
        });
      }),
      { numRuns: 400 },
    );
  });

  it('a subject that went A, B, A leaves no evidence fresh', () => {
    fc.assert(
      fc.property(plays, ([moves, chosen]) => {
        const item = fold(
          twoPhase,
          play(moves, chosen, () => {}),
        );
        const there = item.subjects.commit?.digest ?? '';
        const back = ['other', there].reduce<WorkItem>(
          (i, digest) =>
            evolve(twoPhase, i, { type: 'subject-moved', at: NOW, by: 'x', subject: 'commit', digest }),
          item,
        );
        expect(back.subjects.commit?.digest).toBe(there);
        for (const kind of ['proof-pack', 'quality', 'final-report', 'failure-review']) {
          expect(latestEvidence(back, kind)).toBeUndefined();
        }
      }),
    );
  });
});

const anything: fc.Arbitrary<ItemEvent> = fc.oneof(
  fc.record({
    type: fc.constant('moved' as const),
    at: fc.string(),
    by: fc.string(),
    row: fc.integer({ min: -3, max: 99 }),
    command: fc.string(),
    origin: fc.string(),
    from: fc.string(),
    to: fc.string(),
    arguments: fc.dictionary(fc.string(), fc.string()),
    reason: fc.string(),
    subjects: fc.dictionary(fc.string(), fc.string()),
    facts: fc.constant({}),
    verdicts: fc.constant([]),
    proof: fc.string(),
  }),
  fc.record({
    type: fc.constant('recorded' as const),
    at: fc.string(),
    by: fc.string(),
    row: fc.integer({ min: -3, max: 99 }),
    kind: fc.string(),
    outcome: fc.string(),
    requestedBy: fc.string(),
    independence: fc.constantFrom('automated' as const, 'human' as const),
    facts: fc.constant({}),
    proof: fc.string(),
  }),
  fc.record({
    type: fc.constant('noted' as const),
    at: fc.string(),
    by: fc.string(),
    group: fc.string(),
    member: fc.string(),
    state: fc.string(),
    category: fc.string(),
    asked: fc.string(),
    marks: fc.dictionary(fc.string(), fc.array(fc.string())),
    moves: fc.array(fc.string()),
  }),
  fc.record({
    type: fc.constant('elapsed' as const),
    at: fc.string(),
    by: fc.string(),
    state: fc.string(),
    percent: fc.nat(),
    due: fc.constant(''),
  }),
);

describe('evolve', () => {
  it('is total: no event makes it throw, and each counts', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 20 }), (events) => {
        expect(fold(twoPhase, events).version).toBe(events.length);
      }),
    );
  });
});

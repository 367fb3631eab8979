import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../src/kernel/protocol.ts';
import { goal } from '../../src/protocols/goal.ts';
import { goalTask } from '../../src/protocols/goal-task.ts';
import { lifecycle } from '../../src/protocols/lifecycle.ts';
import { twoPhase } from '../../src/protocols/two-phase.ts';
import { runs } from '../thoroughness.ts';
import { agentOf, type Player, personOf, type Team } from './cast.ts';
import { breachesIn, GAMES, type Played, playsOf, TABLES } from './game.ts';
import {
  GOAL_RIGHTS,
  GOAL_TASK_RIGHTS,
  LIFECYCLE_RIGHTS,
  RELATIONS,
  type Relation,
  type Right,
  TWO_PHASE_RIGHTS,
} from './rights.ts';
import { decideOn, recordOn, Story } from './story.ts';

// R15: every role, every relation to those who did the work, every command. What is expected stands in rights.ts.
const ALL = [...new Set([twoPhase, lifecycle, goalTask].flatMap(({ roles }) => roles))];
const strangers = ['xin', 'yan', 'zoe'].map((id) => agentOf(id, ALL));
const [xin, yan, zoe] = strangers as [Player, Player, Player];
const sam = agentOf('sam', ['specialist', 'fullstack-developer', 'builder'], 'boss');
const pat = personOf('pat');
const TEAM: Team = [
  ...strangers,
  sam,
  pat,
  ...[agentOf('boss', []), agentOf('kid', [], 'sam'), agentOf('sib', [], 'boss'), agentOf('new', [])],
];
const WHO: { readonly [relation in Relation]: string } = {
  ...{ self: 'sam', parent: 'boss', child: 'kid', sibling: 'sib', stranger: 'new' },
  ...{ person: 'pat', unproven: 'pat' },
};

type Stories = { readonly [at: string]: () => Story };

/** Everybody in the work's lineage has just the one role that is asked about; strangers hold them all. */
const casting = (relation: Relation, role: string): Team =>
  TEAM.map((player) =>
    player.roles.length > 3
      ? player
      : { ...player, roles: player.id === WHO[relation] && role !== '' ? [role] : [] },
  );

function twoPhaseStories(): Stories {
  // Another attempt was before: there is somebody to be apart from, wherever the item stands.
  const pending = () =>
    Story.of(twoPhase, TEAM)
      .does(sam, 'claim')
      .finds('inconclusive', 'INDETERMINATE', xin)
      .does(xin, 'release');
  const started = () => pending().does(xin, 'dispatch', 'sam');
  const claimed = () => started().does(sam, 'claim');
  const failed = () => claimed().finds('proof-pack', 'BLOCKED', xin);
  const unseen = () => failed().does(xin, 'block');
  const passed = () => claimed().finds('proof-pack', 'PASSED', xin);
  const verified = () => passed().does(xin, 'verify');
  return {
    ...{ pending, in_progress: started, claimed, failed, unseen, passed, verified },
    unclear: () => claimed().finds('inconclusive', 'INDETERMINATE', xin),
    blocked: () => unseen().finds('failure-review', 'seen', pat, false),
    reported: () => verified().finds('final-report', 'WRITTEN', xin),
    rejected: () => verified().finds('quality', 'REJECTED', xin, false),
  };
}

function lifecycleStories(): Stories {
  const thrice = (story: Story, by: Player) => story.does(by, 'fail').does(by, 'fail').does(by, 'fail');
  const begun = () =>
    Story.of(lifecycle, TEAM).does(xin, 'assign').does(xin, 'plan').does(xin, 'validate').does(sam, 'begin');
  const pending = () => thrice(begun(), sam).does(xin, 'rollback', 'pending');
  const assigned = () => pending().does(xin, 'assign');
  const planning = () => assigned().does(xin, 'plan');
  const validated = () => planning().does(xin, 'validate');
  const working = () => validated().does(sam, 'begin');
  const testing = () => working().does(sam, 'finish');
  const review = () => testing().does(sam, 'ask-review');
  const passed = () => review().finds('proof-pack', 'PASSED', xin);
  const approved = () => passed().does(xin, 'approve');
  const second = () => thrice(planning(), xin);
  return {
    ...{ pending, assigned, planning, validated, testing, passed, approved, second },
    ...{ in_progress: working, quality_review: review },
    committing: () => approved().does(xin, 'commit'),
    cto_intervention: () => thrice(begun(), sam),
    skippable: () => second(),
    human_escalation: () => second().does(xin, 'escalate'),
  };
}

function goalTaskStories(): Stories {
  const assigned = () => Story.of(goalTask, TEAM).does(xin, 'assign', 'sam');
  const submit = (story: Story) => story.does(sam, 'submit');
  const complete = (story: Story) => submit(story).does(yan, 'approve');
  const passed = (story: Story) => complete(story).finds('proof-pack', 'PASSED', zoe);
  const first = () => assigned().does(sam, 'start');
  const verified = () => passed(first()).does(zoe, 'verify');
  const working = () => verified().does(xin, 'reopen', 'sam');
  const rejected = (story: Story) => complete(story).does(zoe, 'reject-verification');
  return {
    pending: () => Story.of(goalTask, TEAM),
    ...{ assigned, verified, in_progress: working },
    review: () => submit(working()),
    completed: () => complete(working()),
    passed: () => passed(working()),
    escalated: () => rejected(rejected(working())),
  };
}

function goalStories(): Stories {
  const active = () => Story.of(goal, TEAM).hears('tasks', 'T-1', 'in_progress', ['sam']);
  const pending = () => active().hears('tasks', 'T-1', 'verified', ['sam']);
  const passed = () => pending().does(xin, 'integrate').finds('proof-pack', 'PASSED', xin);
  return { active, passed, pending_verify: pending };
}

const MATRICES: readonly [string, Protocol, readonly Right[], Stories][] = [
  ['two-phase', twoPhase, TWO_PHASE_RIGHTS, twoPhaseStories()],
  ['lifecycle', lifecycle, LIFECYCLE_RIGHTS, lifecycleStories()],
  ['goal-task', goalTask, GOAL_TASK_RIGHTS, goalTaskStories()],
  ['goal', goal, GOAL_RIGHTS, goalStories()],
];

const FAR: { readonly [apart in Right['apart']]: readonly Relation[] } = {
  none: RELATIONS,
  kin: ['sibling', 'stranger', 'person', 'unproven'],
  self: RELATIONS.filter((relation) => relation !== 'self'),
  mine: ['self'],
};

const mayDo = ({ roles, apart, person }: Right, role: string, relation: Relation) =>
  (person && relation === 'person') || (roles.includes(role) && FAR[apart].includes(relation));

describe.each(MATRICES)('who may do what: %s', (_, table, rights, stories) => {
  it('every command and every finding of somebody stands in the matrix', () => {
    const given = table.evidence.filter(({ by }) => !by.includes('engine')).map(({ kind }) => kind);
    const all = [...table.rows.map((row) => row.command), ...given].filter(Boolean);
    expect([...new Set(rights.map(({ command }) => command))].sort()).toEqual([...new Set(all)].sort());
  });

  it.each(rights)('$command at $at, for every role and every relation', (right) => {
    const { item } = stories[right.at]?.() ?? Story.of(table, TEAM);
    const cells = ['', ...table.roles].flatMap((role) =>
      RELATIONS.map((relation) => {
        const team = casting(relation, role);
        const by = team.find(({ id }) => id === WHO[relation]) ?? pat;
        const proven = relation === 'person';
        const to = right.command === 'resolve' || right.command === 'rollback' ? 'planning' : 'sam';
        const decision =
          right.gives === ''
            ? decideOn(table, item, { by, command: right.command, proven, to }, team)
            : recordOn(table, item, { kind: right.command, outcome: right.gives, by, proven }, team);
        return [role, relation, decision.kind] as const;
      }),
    );
    const wrong = cells.filter(
      ([role, relation, kind]) => (kind === 'accepted') !== mayDo(right, role, relation),
    );
    expect(wrong).toEqual([]);
    expect(cells).toHaveLength((table.roles.length + 1) * RELATIONS.length);
  });
});

describe('who approved a task', () => {
  it('GOAL-30, GOAL-31: does not verify it, agent or person; a third does', () => {
    const story = goalTaskStories().in_progress?.().does(sam, 'submit') as Story;
    const verifies = (approver: Player, by: Player) => {
      const { item } = story.does(approver, 'approve').finds('proof-pack', 'PASSED', by);
      return decideOn(goalTask, item, { by, command: 'verify' }, TEAM).kind;
    };
    expect([verifies(yan, yan), verifies(yan, zoe)]).toEqual(['refused', 'accepted']);
    expect([verifies(pat, pat), verifies(pat, zoe)]).toEqual(['refused', 'accepted']);
  });
});

const SEED = 20_251_027;

/** Any tree of who spawned whom, with any roles: parents come before their children. */
const familyOf = (roles: readonly string[]): fc.Arbitrary<Team> =>
  fc
    .array(
      fc.record({
        parent: fc.nat(8),
        all: fc.nat(2),
        roles: fc.subarray([...roles]),
        kind: fc.nat(7),
      }),
      { minLength: 3, maxLength: 7 },
    )
    .map((grown) =>
      grown.map(({ parent, all, roles: some, kind }, n): Player => {
        const held = all > 0 ? roles : some;
        if (kind === 0) return personOf(`p${n}`, held);
        const above = grown[parent]?.kind === 0 || parent >= n ? '' : `a${parent}`;
        return agentOf(`a${n}`, held, above);
      }),
    );

describe.each(GAMES)('any family of agents plays $name', (game) => {
  it('and nobody gets further than the ledger says', () => {
    fc.assert(
      fc.property(playsOf(120), familyOf(game.roles), (played: Played, team) => {
        const found = breachesIn(game, TABLES, { ...played, team });
        // In a family without somebody who holds a role, an item may well wait.
        expect(found.filter(({ rule, what }) => rule !== 'I13' || !what.includes('leads on'))).toEqual([]);
      }),
      { seed: SEED, numRuns: runs(50, 150) },
    );
  });
});

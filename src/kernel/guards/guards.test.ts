import { describe, expect, it } from 'vitest';
import { agent, commandOf } from '../../../tests/given.ts';
import type { Actor } from '../actor.ts';
import { type Finding, NOTHING_GATHERED } from '../command.ts';
import type { Context } from '../context.ts';
import type { Evidence } from '../evidence.ts';
import type { Status } from '../verdict.ts';
import { UNOPENED, type WorkItem } from '../work-item.ts';
import { absent } from './absent.ts';
import { apart } from './apart.ts';
import { count, reaches } from './count.ts';
import { evidence } from './evidence.ts';
import { hats } from './hats.ts';
import { independent } from './independent.ts';
import { anyOf, GUARD_NAMES, type Guard, judge, not, when } from './index.ts';
import { members } from './members.ts';
import { previous } from './previous.ts';
import { probe } from './probe.ts';
import { same } from './same.ts';
import { setting } from './setting.ts';
import { agents, team } from './team.ts';
import { votes } from './votes.ts';

const root = agent('root', ['lead']);
const ann = agent('ann', ['dev'], ['root']);
const minion = agent('minion', ['dev'], ['ann', 'root']);
const ben = agent('ben', ['dev'], ['root']);
const eve = agent('eve', ['dev']);
const roster = [root, ann, minion, ben, eve];

const found = (kind: string, outcome: string, by = 'engine', more: Partial<Evidence> = {}): Evidence => ({
  kind,
  outcome,
  by,
  requestedBy: by,
  on: 'commit',
  digest: 'a',
  generation: 1,
  attempt: 1,
  independence: 'automated',
  at: '',
  facts: {},
  ...more,
});

const item: WorkItem = {
  ...UNOPENED,
  state: 'review',
  previous: 'working',
  marks: { builder: ['ann'], reviewer: ['eve'] },
  subjects: { commit: { digest: 'a', generation: 1 } },
  evidence: [
    found('build', 'red', 'engine', { generation: 0 }),
    found('tests', 'red'),
    found('tests', 'green', 'engine', { independence: 'sibling' }),
    found('vote', 'yes', 'ann'),
    found('vote', 'no', 'ben'),
    found('vote', 'yes', 'ben'),
    found('vote', 'no', 'eve'),
    found('report', 'ok', 'minion'),
  ],
  counters: { rounds: 2, 'failures@review': 1 },
  settings: { strict: true, independence: 'sibling' },
  members: {
    tasks: {
      t1: { state: 'verified', category: 'CONFIRMED', asked: 'a' },
      t2: { state: 'running', category: 'WORKING', asked: 'old' },
    },
  },
};

const broken: Finding = { status: 'error', because: 'git is not there', fix: '' };
const context = (by: Actor): Context => ({
  counters: { rounds: { per: 'item', limit: 3 }, failures: { per: 'state', limit: 3 } },
  item,
  command: commandOf('x', { by }),
  world: { roster, groups: { list: { other: { state: 'blocked', category: 'REWORK', asked: '' } } } },
  gathered: {
    ...NOTHING_GATHERED,
    probes: {
      clean: { status: 'satisfied', because: 'clean', fix: '' },
      pushed: { status: 'unsatisfied', because: 'not pushed', fix: 'push it' },
      landed: broken,
    },
  },
});

// biome-ignore format: a table reads as a table
const CASES: [name: Guard['guard'], says: string, guard: Guard, by: Actor, status: Status][] = [
  ['apart', 'a sibling is another pair of eyes', apart('builder'), ben, 'satisfied'],
  ['apart', 'the builder is not', apart('builder'), ann, 'unsatisfied'],
  ['apart', 'nor is the parent', apart('builder'), root, 'unsatisfied'],
  ['apart', 'nor a child', apart('builder'), minion, 'unsatisfied'],
  ['apart', 'by identity the parent is', apart('builder', 'identity'), root, 'satisfied'],
  ['apart', 'by identity the builder still is not', apart('builder', 'identity'), ann, 'unsatisfied'],
  ['apart', 'nobody marked closes the gate', apart('nobody'), eve, 'unsatisfied'],
  ['hats', 'no other hat clashes', hats('tester', ['builder-tester']), eve, 'satisfied'],
  ['hats', 'GOAL-33: the builder is no tester', hats('tester', ['builder-tester']), ann, 'unsatisfied'],
  ['hats', 'whichever stands first', hats('tester', ['tester-reviewer']), eve, 'unsatisfied'],
  ['hats', 'a relaxed pair does not count', hats('tester', ['reviewer-tester'], ['reviewer-tester']), eve, 'satisfied'],
  ['same', 'is the one', same('builder'), ann, 'satisfied'],
  ['same', 'is another', same('builder'), ben, 'unsatisfied'],
  ['same', 'nobody is', same('nobody'), ann, 'unsatisfied'],
  ['evidence', 'the latest counts', evidence('tests', 'green'), eve, 'satisfied'],
  ['evidence', 'an earlier one does not', evidence('tests', 'red'), eve, 'unsatisfied'],
  ['evidence', 'a stale one does not', evidence('build', 'red'), eve, 'unsatisfied'],
  ['evidence', 'none at all', evidence('nothing', 'ok'), eve, 'unsatisfied'],
  ['evidence', 'its giver must be outside when asked', evidence('report', 'ok', 'builder'), eve, 'unsatisfied'],
  ['evidence', 'its giver is outside', evidence('report', 'ok', 'reviewer'), eve, 'satisfied'],
  ['absent', 'stale counts as absent', absent('build'), eve, 'satisfied'],
  ['absent', 'it is there', absent('tests'), eve, 'unsatisfied'],
  ['votes', 'the last word of each voter counts', votes('vote', 'yes', 'majority', 3), eve, 'satisfied'],
  ['votes', 'not all', votes('vote', 'yes', 'all', 3), eve, 'unsatisfied'],
  ['votes', 'half is no majority', votes('vote', 'yes', 'majority', 4), eve, 'unsatisfied'],
  ['votes', 'all of nobody is nobody', votes('vote', 'yes', 'all', 0), eve, 'unsatisfied'],
  ['votes', 'nobody under the mark', votes('vote', 'yes', 'all', 'nobody'), eve, 'unsatisfied'],
  ['votes', 'all under the mark', votes('vote', 'yes', 'all', 'builder'), eve, 'satisfied'],
  ['votes', 'the voices of others do not count', votes('vote', 'yes', 'some', 'reviewer'), eve, 'unsatisfied'],
  ['members', 'some by state', members('tasks', ['verified'], 'some'), eve, 'satisfied'],
  ['members', 'some by category', members('tasks', ['=WORKING'], 'some'), eve, 'satisfied'],
  ['members', 'not all', members('tasks', ['verified'], 'all'), eve, 'unsatisfied'],
  ['members', 'half is no majority', members('tasks', ['verified'], 'majority'), eve, 'unsatisfied'],
  ['members', 'none, of those outside the item', members('list', ['blocked'], 'none'), eve, 'unsatisfied'],
  ['members', 'none, of an empty group', members('nobody', ['blocked'], 'none'), eve, 'satisfied'],
  ['members', 'all of nobody is too few where some are needed', members('nobody', ['verified'], 'all', 1), eve, 'unsatisfied'],
  ['members', 'an answer to an old question is none', members('tasks', ['running'], 'some', 0, 'commit'), eve, 'unsatisfied'],
  ['members', 'an answer to this question', members('tasks', ['verified'], 'some', 0, 'commit'), eve, 'satisfied'],
  ['reaches', 'counting this one', reaches('rounds', 3), eve, 'satisfied'],
  ['reaches', 'not yet, in this state', reaches('failures', 3), eve, 'unsatisfied'],
  ['count', 'stands there', count('rounds', 2), eve, 'satisfied'],
  ['count', 'does not', count('failures', 2), eve, 'unsatisfied'],
  ['previous', 'came from there', previous(['working']), eve, 'satisfied'],
  ['previous', 'did not', previous(['testing']), eve, 'unsatisfied'],
  ['probe', 'in order', probe('clean'), eve, 'satisfied'],
  ['probe', 'not in order', probe('pushed'), eve, 'unsatisfied'],
  ['probe', 'could not look', probe('landed'), eve, 'error'],
  ['probe', 'did not look', probe('unasked'), eve, 'error'],
  ['team', 'siblings are two pairs, also beside their parent', team(3), eve, 'satisfied'],
  ['team', 'a parent and a child are one', team(4), eve, 'unsatisfied'],
  ['team', 'of one role', team(1, 'lead'), eve, 'satisfied'],
  ['team', 'nobody in the role stands outside', team(1, 'lead', 'builder'), eve, 'unsatisfied'],
  ['team', 'by identity somebody does', team(1, 'lead', 'builder', 'identity'), eve, 'satisfied'],
  ['team', 'agents with one of the roles are counted', agents(1, ['lead', 'boss']), eve, 'satisfied'],
  ['team', 'agents with other roles are not', agents(2, ['lead', 'boss']), eve, 'unsatisfied'],
  ['team', 'nobody said which roles: all of them count', agents(3, []), eve, 'satisfied'],
  ['setting', 'is so', setting('strict', true), eve, 'satisfied'],
  ['setting', 'is not', setting('strict', false), eve, 'unsatisfied'],
  ['independent', 'as far as the item demands', independent('tests'), eve, 'satisfied'],
  ['independent', 'not as far as asked', independent('tests', 'human'), eve, 'unsatisfied'],
  ['independent', 'of nothing', independent('nothing'), eve, 'unsatisfied'],
  ['not', 'turns round', not(setting('strict', false)), eve, 'satisfied'],
  ['not', 'turns round the other way', not(setting('strict', true)), eve, 'unsatisfied'],
  ['not', 'not knowing is not the opposite', not(probe('landed')), eve, 'error'],
  ['any', 'one is enough', anyOf(same('builder'), same('reviewer')), eve, 'satisfied'],
  ['any', 'none is not', anyOf(same('builder'), probe('pushed')), eve, 'unsatisfied'],
  ['any', 'an unknown among closed ones', anyOf(same('builder'), probe('landed')), eve, 'error'],
  ['when', 'binds', when(setting('strict', true), same('builder')), eve, 'unsatisfied'],
  ['when', 'binds and holds', when(setting('strict', true), same('reviewer')), eve, 'satisfied'],
  ['when', 'does not apply', when(setting('strict', false), same('builder')), eve, 'not-applicable'],
  ['when', 'whether it applies is unknown', when(probe('landed'), same('reviewer')), eve, 'error'],
];

describe('guards', () => {
  it.each(CASES)('%s: %s', (_, __, guard, by, status) => {
    expect(judge(guard, context(by)).status).toBe(status);
  });

  it('every guard has a case in which it opens and one in which it closes the gate', () => {
    for (const name of GUARD_NAMES) {
      const statuses = CASES.filter(([guard]) => guard === name).map(([, , , , status]) => status);
      expect(statuses, name).toContain('satisfied');
      expect(statuses, name).toContain('unsatisfied');
    }
  });

  it('a guard of an unknown name is an error, which closes the gate', () => {
    const verdict = judge({ guard: 'magic' } as unknown as Guard, context(eve));
    expect(verdict).toMatchObject({ status: 'error', because: 'unknown guard' });
  });

  it.each(CASES.filter(([, , , , status]) => status === 'unsatisfied' || status === 'error'))(
    '%s: %s: the refusal says why',
    (_, __, guard, by) => {
      expect(judge(guard, context(by)).because).not.toBe('');
    },
  );

  it('an unknown demand of independence is the strictest', () => {
    const strange = { ...context(eve), item: { ...item, settings: { independence: 'whatever' } } };
    expect(judge(independent('tests'), strange)).toMatchObject({ status: 'unsatisfied' });
    const none = { ...context(eve), item: { ...item, settings: {} } };
    expect(judge(independent('tests'), none)).toMatchObject({ status: 'satisfied' });
  });
});

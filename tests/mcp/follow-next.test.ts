import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Profile } from '../../src/mcp/profile.ts';
import { GOAL_TEAM, merge } from '../journeys/goal-states.ts';
import { LIFE_TEAM, workOn } from '../journeys/lifecycle-states.ts';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { type Answered, talk } from './in-memory.ts';
import { GENERATIONS, type Generation, speakTo } from './stdio.ts';
import { type Filled, follow, type Hand } from './walk.ts';

// A real task from its beginning to its end, by agents that know nothing but `next`.
const OWN = { triager: ['triager'], fixer: ['fixer'], one: ['reader'], two: ['reader'] };
const TABLE = readFileSync(join(import.meta.dirname, '../../examples/bug-triage/bug-triage.yaml'), 'utf8');
let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession({
    agents: { ...LIFE_TEAM, ...GOAL_TEAM },
    files: { 'README.md': '# Scratch\n', '.countersign/protocols/bug-triage.yaml': TABLE },
  });
  for (const [id, roles] of Object.entries(OWN)) await s.register(id, roles);
});
afterAll(() => {
  program.remove();
  s.close();
});

const opened: { close(): Promise<void> }[] = [];
const WORDS = { reason: 'as it should be', guidance: 'otherwise', notes: 'I tried it', summary: 'built' };

/** Who is spoken to, each by a server of its own. */
type Speak = (actor: string) => Promise<Hand & { close(): Promise<void> }>;

/** One step of an actor, to the state that it leads to. */
type Leg = readonly [string, string, (() => Filled)?];

async function walked(speak: Speak, item: string, list: string, legs: readonly Leg[]): Promise<void> {
  const hands = new Map<string, Hand>();
  for (const [actor, state, more = () => ({})] of legs) {
    if (!hands.has(actor)) {
      const hand = await speak(actor);
      opened.push(hand);
      hands.set(actor, hand);
    }
    const answer = await follow(hands.get(actor) as Hand, item, list, { ...WORDS, ...more() });
    expect([answer.text, answer.data.item?.status]).toEqual([answer.text, state]);
  }
  for (const { close } of opened.splice(0)) await close();
}

const lifeLegs = (head: { now: string }): readonly Leg[] => [
  ['orchestrator', 'assigned'],
  ['validator', 'planning'],
  ['validator', 'validated'],
  ['developer', 'in_progress'],
  [
    'developer',
    'testing',
    () => {
      head.now = workOn(s);
      return {};
    },
  ],
  ['developer', 'quality_review', () => ({ evidence: ['README.md'] })],
  ['monitor', 'approved'],
  ['committer', 'committing'],
  ['committer', 'completed', () => ({ commit: head.now })],
];

const taskLegs: readonly Leg[] = [
  ['lead', 'assigned', () => ({ assign_to: 'builder', to: 'builder' })],
  ['builder', 'in_progress'],
  [
    'builder',
    'review',
    () => {
      workOn(s);
      return {};
    },
  ],
  ['reviewer', 'completed'],
  ['verifier', 'verified'],
];

const made = (answer: Answered): string => {
  expect(answer.isError, answer.text).toBe(false);
  return answer.data.item?.id ?? '';
};

/** Makes a task and, for goals, its goal, through the server. */
async function makes(
  speak: Speak,
  actor: string,
  tool: string,
  input: Record<string, unknown>,
): Promise<string> {
  const hand = await speak(actor);
  const id = made(await hand.call(tool, input));
  await hand.close();
  return id;
}

const generations = Object.keys(GENERATIONS) as readonly Generation[];
describe.each(generations)('over pipes, in the %s generation of the protocol', (generation) => {
  const speakAs =
    (profile: Profile): Speak =>
    (actor) =>
      speakTo(program, s.repo.top, s.env, ['--actor', actor, '--profile', profile], generation);

  test('J03: a task of the lifecycle from pending to completed', async () => {
    const speak = speakAs('lifecycle');
    const list = `life-${generation}`;
    const item = await makes(speak, 'planner', 'create_task', { title: 'Build the thing', list });
    await walked(speak, item, list, lifeLegs({ now: '' }));
    expect((await s.say('', 'show', item)).data.status).toBe('completed');
  });

  test('GOAL-56: a goal and its task, until both are verified', async () => {
    const speak = speakAs('goals');
    const list = `goal-${generation}`;
    const goal_id = await makes(speak, 'lead', 'create_goal', { title: 'The whole', list });
    const item = await makes(speak, 'lead', 'create_task', { title: 'The part', list, goal_id });
    await walked(speak, item, list, taskLegs);
    merge(s);
    await walked(speak, goal_id, list, [['lead', 'verified']]);
    expect((await s.say('', 'goal', 'status', goal_id)).data).toMatchObject({
      status: 'verified',
      counts: { verified: 1 },
    });
  });
});

describe('with the tools that fit every protocol', () => {
  const speak: Speak = (actor) => talk(s, actor, 'core');
  const add = async (actor: string, title: string, ...words: readonly string[]) => {
    const { code, data, err } = await s.say(actor, 'add', title, ...words);
    expect(code, err).toBe(0);
    return data.id;
  };

  test('a task of the lifecycle', async () => {
    const item = await add('planner', 'Build it', '--protocol', 'lifecycle', '--list', 'core-life');
    await walked(speak, item, 'core-life', lifeLegs({ now: '' }));
  });

  test('a goal and its task', async () => {
    const goal = (await s.say('lead', 'goal', 'create', 'Whole', '--list', 'core-goal')).data.id;
    const item = await add('lead', 'Part', '--goal', goal, '--list', 'core-goal');
    await walked(speak, item, 'core-goal', taskLegs);
    merge(s);
    await walked(speak, goal, 'core-goal', [
      ['lead', 'pending_verify'],
      ['lead', 'verified'],
    ]);
  });

  test('an item of a protocol that the project wrote', async () => {
    const item = await add('triager', 'Totals are off', '--protocol', 'bug-triage', '--list', 'core-own');
    await walked(speak, item, 'core-own', [
      ['triager', 'accepted'],
      ['fixer', 'fixing'],
      [
        'fixer',
        'proposed',
        () => {
          workOn(s);
          return {};
        },
      ],
    ]);
    for (const reader of ['one', 'two'])
      expect((await s.say(reader, 'review', item, '--approve')).code).toBe(0);
    await walked(speak, item, 'core-own', [['two', 'confirmed']]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../session.ts';
import {
  asPerson,
  bring,
  escalated,
  fail,
  failThrice,
  guide,
  lead,
  logged,
  move,
  must,
  named,
  ORDER,
  onward,
  openLifecycle,
  path,
  propose,
  type State,
  stateOf,
  told,
  type Working,
} from './crew.ts';

// Sections C, E and F: the CTO's interventions, and what follows when two of them did not help.
let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

/** A new item under an intervention that was called in a state. */
async function under(state: Working): Promise<string> {
  const id = await bring(s, state);
  expect(await failThrice(s, id, state)).toBe('cto_intervention');
  return id;
}

const ROWS: { readonly [state in Working]?: string } = {
  planning: 'LIFE-22, LIFE-48',
  in_progress: 'LIFE-49',
  quality_review: 'LIFE-50',
  committing: 'LIFE-47, LIFE-51',
};
describe('CL-06: an intervention ends where it was called', () => {
  test.each(ORDER.map((state) => [ROWS[state] ?? 'CL-06', state] as const))(
    '%s, LIFE-72: called in %s, it goes back there, and the count begins anew',
    async (_, state) => {
      const id = await under(state);
      const back = must(await guide(s, id, 'return', `do it otherwise in ${state}`));
      expect(back.data.status).toBe(state);
      const { failures, failuresEver, briefing, stateHistory } = await told(s, id);
      expect([failures[state] ?? 0, failuresEver[state]]).toEqual([0, 3]);
      expect(briefing.guidance).toMatchObject([{ by: 'chief', text: `do it otherwise in ${state}` }]);
      expect(briefing.failures.map((f) => f.reason)).toEqual(
        [1, 2, 3].map((n) => `failure ${n} in ${state}`),
      );
      expect(path(stateHistory).at(-1)).toBe(`cto_intervention>${state}`);
    },
  );
});

test('what was judged before an intervention in the review can be judged again after it', async () => {
  const id = await under('quality_review');
  must(await guide(s, id, 'return', 'look at it once more'));
  expect((await onward(s, id, 'quality_review')).data.status).toBe('approved');
  expect((await onward(s, await under('committing').then(returned), 'committing')).data.status).toBe(
    'completed',
  );
});

const returned = async (id: string) => must(await guide(s, id, 'return', 'commit it again')).data.id;

test('CL-13: what was rejected three times takes another approach, also after an intervention', async () => {
  const id = await under('planning');
  must(await guide(s, id, 'return', 'split it in two'));
  const same = await onward(s, id, 'planning');
  expect([same.code, same.error.missing[0]?.because]).toEqual([3, expect.stringContaining('approach')]);
  await propose(s, id);
  expect((await onward(s, id, 'planning')).data.status).toBe('validated');
});

test('LIFE-53, LIFE-54: without guidance nothing is returned, and nobody but the CTO returns anything', async () => {
  const id = await under('planning');
  const before = await s.snapshot(id);
  for (const guidance of ['', '  \n']) {
    const { code, error } = await guide(s, id, 'return', guidance);
    expect([code, error.message]).toEqual([2, 'return needs guidance']);
  }
  expect((await s.say('chief', 'move', id, 'return', '--reason', 'a reason is no guidance')).code).toBe(2);
  for (const by of ['developer', 'orchestrator', 'validator', 'planner', 'monitor', 'git', ''])
    for (const how of ['return', 'rollback', 'skip']) {
      const { code, error } = await s.say(by, 'move', id, how, '--guidance', 'go on', '--to', 'assigned');
      expect([by, how, code, error.message]).toEqual([by, how, 7, expect.stringContaining('Only cto may')]);
    }
  expect(await s.snapshot(id)).toBe(before);
});

test('LIFE-65, LIFE-99: an intervention counts by itself, and is one event with its number, guidance and end', async () => {
  const id = await under('planning');
  const [called, ...more] = await named(s, id, 'CTO_INTERVENTION');
  expect(more).toEqual([]);
  expect(called).toMatchObject({
    ...{ from: 'planning', to: 'cto_intervention', actor: 'validator' },
    metadata: { attempt: 1, state: 'planning', guidance: '', outcome: 'open' },
  });
  const { ctoAttempts, failures } = await told(s, id);
  expect([ctoAttempts, failures]).toEqual([1, { planning: 3 }]);
  must(await guide(s, id, 'return', 'split it in two'));
  await propose(s, id);
  must(await onward(s, id, 'planning'));
  expect((await named(s, id, 'CTO_INTERVENTION')).map((e) => e.metadata)).toEqual([
    {
      ...{ attempt: 1, state: 'planning', guidance: 'split it in two', guided_by: 'chief' },
      ...{ recovery: 'guided-retry', outcome: 'solved' },
    },
  ]);
});

test('LIFE-74: whoever works on it next is told of the guidance', async () => {
  const id = await under('in_progress');
  must(await guide(s, id, 'return', 'begin with the parser'));
  const { data } = await s.say('developer', 'history', id);
  expect(data.briefing).toMatchObject({ guidance: [{ text: 'begin with the parser', attempt: 1 }] });
  expect((await s.text('developer', 'history', id)).out).toContain(
    'guidance by chief (open): begin with the parser',
  );
  expect((await s.text('developer', 'show', id)).out).toContain('begin with the parser');
});

test('LIFE-75, LIFE-90: back to any earlier state is the CTO’s, marked for ever, and never forward', async () => {
  const id = await under('quality_review');
  for (const to of ['quality_review', 'approved', 'completed'])
    expect([to, (await guide(s, id, 'rollback', 'begin anew', '--to', to)).code]).toEqual([to, 2]);
  const back = must(await guide(s, id, 'rollback', 'the plan was wrong', '--to', 'planning'));
  expect(back.data.status).toBe('planning');
  const [transition] = (await named(s, id, 'STATE_TRANSITION')).slice(-1);
  expect(transition).toMatchObject({
    ...{ from: 'cto_intervention', to: 'planning', actor: 'chief', reason: 'the plan was wrong' },
    metadata: { pattern: 'rollback', override: true },
  });
  await lead(s, id, 'completed');
  const { overrides } = await told(s, id);
  expect(overrides).toMatchObject([{ toState: 'planning', actor: 'chief', reason: 'the plan was wrong' }]);
  for (const view of ['history', 'show'])
    expect((await s.text('', view, id)).out).toContain('OVERRIDE by chief');
  // The verdict that completed it is of the work after the rollback.
  expect((await s.events(id)).filter((e) => e.type === 'recorded' && e.kind === 'proof-pack')).toHaveLength(
    1,
  );
});

test('LIFE-76, LIFE-90: on to the next state is the CTO’s, and never out of what builds, checks or commits', async () => {
  const id = await under('planning');
  expect((await s.say('orchestrator', 'move', id, 'skip', '--guidance', 'go on')).code).toBe(7);
  expect(must(await guide(s, id, 'skip', 'the plan is good enough')).data.status).toBe('validated');
  expect((await told(s, id)).overrides).toHaveLength(1);
  for (const state of ['in_progress', 'quality_review', 'committing'] as const) {
    const held = await under(state);
    // Behind the commit there is nothing to skip to; the others are closed.
    const { error } = await guide(s, held, 'skip', 'go on');
    expect([state, error.code]).toEqual([state, state === 'committing' ? 'bad-arguments' : 'gate-closed']);
    expect(await stateOf(s, held)).toBe('cto_intervention');
  }
});

test('LIFE-52: after one intervention nothing goes to a person; the second may', async () => {
  const id = await under('planning');
  const early = await move(s, 'chief', id, 'escalate');
  expect([early.code, early.error.missing[0]?.guard]).toEqual([3, 'count']);
  must(await guide(s, id, 'return', 'first'));
  await failThrice(s, id, 'planning');
  for (const by of ['orchestrator', 'validator', ''])
    expect([by, (await move(s, by, id, 'escalate')).code]).toEqual([by, 7]);
  expect((await move(s, 'chief', id, 'escalate')).data.status).toBe('human_escalation');
  expect((await named(s, id, 'CTO_INTERVENTION')).map((e) => e.metadata.outcome)).toEqual([
    'not solved',
    'not solved',
  ]);
});

test('LIFE-52, LIFE-70: with two interventions used the next limit goes to a person, by way of the CTO’s state', async () => {
  const id = await escalated(s);
  const { stateHistory, ctoAttempts } = await told(s, id);
  expect(path(stateHistory).slice(-2)).toEqual([
    'planning>cto_intervention',
    'cto_intervention>human_escalation',
  ]);
  expect(ctoAttempts).toBe(2);
  expect(await named(s, id, 'CTO_INTERVENTION')).toHaveLength(2);
  const last = (await logged(s, id)).filter((e) => e.event !== 'AGENT_ASSIGNED').slice(-3);
  expect(last.map((e) => [e.event, e.from, e.to])).toEqual([
    ['FAILURE_RECORDED', 'planning', 'planning'],
    ['STATE_TRANSITION', 'planning', 'cto_intervention'],
    ['STATE_TRANSITION', 'cto_intervention', 'human_escalation'],
  ]);
  expect(last[0]?.metadata).toEqual({ state: 'planning', count: 3 });
});

test('LIFE-70: with two interventions used and all going well, nothing is escalated', async () => {
  const id = await under('planning');
  must(await guide(s, id, 'return', 'first'));
  await failThrice(s, id, 'planning');
  must(await guide(s, id, 'return', 'second'));
  await propose(s, id);
  expect((await told(s, id)).ctoAttempts).toBe(2);
  await lead(s, id, 'completed');
  const { stateHistory, ctoAttempts } = await told(s, id);
  expect(path(stateHistory).join()).not.toContain('human_escalation');
  expect(ctoAttempts).toBe(2);
});

test('LIFE-66, LIFE-71, LIFE-93: interventions are two for the item, wherever they were called', async () => {
  const id = await under('planning');
  must(await guide(s, id, 'return', 'first'));
  await propose(s, id);
  expect(await failThrice(s, id, 'quality_review')).toBe('cto_intervention');
  expect((await told(s, id)).ctoAttempts).toBe(2);
  must(await guide(s, id, 'return', 'second'));
  must(await fail(s, id));
  expect(await failThrice(s, id, 'in_progress')).toBe('human_escalation');
  expect((await told(s, id)).ctoAttempts).toBe(2);
});

test('LIFE-78: each recovery says which of the five patterns it is', async () => {
  const patterns = async (id: string) =>
    (await named(s, id, 'STATE_TRANSITION')).flatMap((e) =>
      e.metadata.pattern === undefined ? [] : [e.metadata.pattern],
    );
  const one = await under('planning');
  must(await guide(s, one, 'return', 'first'));
  await failThrice(s, one, 'planning');
  must(await guide(s, one, 'rollback', 'second', '--to', 'assigned'));
  expect(await patterns(one)).toEqual([
    ...['simple-retry', 'simple-retry', 'guided-retry'],
    ...['simple-retry', 'simple-retry', 'rollback'],
  ]);
  const two = await under('validated');
  must(await guide(s, two, 'skip', 'just begin'));
  expect((await patterns(two)).at(-1)).toBe('skip');
  const three = await escalated(s);
  expect((await asPerson(s, three, 'abandon')).kind).toBe('done');
  expect((await patterns(three)).at(-1)).toBe('abandon');
  expect(await stateOf(s, three)).toBe('failed' satisfies State);
});

test('LIFE-114: the CTO is handed the task, the state, every failure, earlier guidance and the history', async () => {
  const id = await under('planning');
  const { next } = (await s.say('chief', 'show', id)).data as unknown as { next: string[] };
  expect(next).toEqual([`countersign --actor chief move ${id} return --guidance "WHAT TO DO OTHERWISE"`]);
  must(await guide(s, id, 'return', 'first advice'));
  await failThrice(s, id, 'planning');
  const { data } = await s.say('chief', 'history', id);
  expect(data).toMatchObject({
    ...{
      title: 'Implement login screen',
      currentState: 'cto_intervention',
      previousState: 'planning',
      ctoAttempts: 2,
    },
    briefing: {
      ...{ item: id, title: 'Implement login screen', state: 'cto_intervention', previous: 'planning' },
      failures: [1, 2, 3, 1, 2, 3].map((n) => ({
        ...{ state: 'planning', by: 'validator', reason: `failure ${n} in planning` },
      })),
      guidance: [{ by: 'chief', text: 'first advice', attempt: 1, outcome: 'not solved' }],
    },
  });
  expect((data.stateHistory as unknown[]).length).toBe(3 + 3 + 1 + 3);
});

test('LIFE-115: guidance is open until the state that failed is left by success, and not solved by going round it', async () => {
  const id = await under('quality_review');
  must(await guide(s, id, 'return', 'test the edge cases'));
  const outcomes = async () => (await told(s, id)).briefing.guidance.map((g) => g.outcome);
  expect(await outcomes()).toEqual(['open']);
  must(await fail(s, id));
  // Handed in again: the work was left, the review that failed was not passed.
  await lead(s, id, 'quality_review');
  expect(await outcomes()).toEqual(['open']);
  must(await onward(s, id, 'quality_review'));
  expect(await outcomes()).toEqual(['solved']);
});

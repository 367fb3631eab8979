import { afterEach, describe, expect, test } from 'vitest';
import { eventOf } from '../../src/engine/stored.ts';
import { type Crew, TODO } from './crew.ts';
import { crewAt, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

const stop = (category: string, ...evidence: readonly string[]) =>
  crew.go(
    ...['task', 'stop', TASK, '--category', category],
    ...evidence.flatMap((text) => ['--evidence', text]),
  );
const recorded = () =>
  crew.session.with(async ({ ports }) =>
    (await ports.store.read(`task/${TASK}`))
      .map((stored) => eventOf<{ type: string; [more: string]: unknown }>(stored))
      .filter(({ type }) => type === 'task-stopped'),
  );

describe('what is no reason to stop', () => {
  test.each([
    ['time', 'take long'],
    ['complexity', 'technical-blocker'],
    ['tokens', 'never a reason'],
    ['ask-first', 'checkpoints'],
  ])(
    'PROTO-36, PROTO-37, PROTO-38, PROTO-39: %s is refused, and the task goes on',
    async (category, because) => {
      crew = await crewAt('CLASSIFIED');
      const said = await stop(category, 'really');
      expect(said.code).not.toBe(0);
      expect(said.error.message).toContain(because);
      expect(said.error.hint).toContain('go on with the task');
      expect(await recorded()).toEqual([]);
    },
  );
});

describe('what is one', () => {
  test('PROTO-37, PROTO-40: a technical blocker is accepted with its evidence, and put on record', async () => {
    crew = await crewAt('CLASSIFIED');
    expect((await stop('technical-blocker')).error.message).toContain('evidence');
    expect((await stop('technical-blocker', ' ')).error.message).toContain('evidence');
    expect(await recorded()).toEqual([]);
    expect(await stop('technical-blocker', 'api.example answers 404')).toMatchObject({ code: 0 });
    expect(await recorded()).toMatchObject([
      {
        category: 'technical-blocker',
        evidence: ['api.example answers 404'],
        session: 's-1',
        by: 'lead',
        state: 'CLASSIFIED',
      },
    ]);
    expect((await crew.session.text('', 'audit', 'verify')).code).toBe(0);
  });

  test('PROTO-41: ambiguity needs both requirements, quoted', async () => {
    crew = await crewAt('CLASSIFIED');
    expect((await stop('ambiguity', '"dates are local"')).error.message).toContain('both requirements');
    expect(await stop('ambiguity', '"dates are local"', '"dates are UTC"')).toMatchObject({ code: 0 });
    expect(await recorded()).toMatchObject([{ evidence: ['"dates are local"', '"dates are UTC"'] }]);
  });

  test('PROTO-42: a scope that was changed from outside is seen by the entry itself', async () => {
    crew = await crewAt('CLASSIFIED');
    expect((await stop('scope-changed')).error.message).toContain('is what it was');
    crew.write(`${crew.session.repo.top}/todo.md`, TODO.replace('and its tests', 'and src/times.js'));
    expect(await stop('scope-changed')).toMatchObject({ code: 0, data: { category: 'scope-changed' } });
  });

  test('another session cannot stop it', async () => {
    crew = await crewAt('CLASSIFIED');
    const words = ['task', 'stop', TASK, '--category', 'technical-blocker', '--evidence', 'x'];
    expect((await crew.say(crew.code, 'lead', 's-2', ...words)).code).not.toBe(0);
    expect(await recorded()).toEqual([]);
  });
});

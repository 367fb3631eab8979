import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSession, type Session } from '../session.ts';

// An empty name is most often a variable that was not set: whoever types it may not become the person by it.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

it.each([
  ['--actor', ''],
  ['--actor', '  '],
  ['--actor=', '--quiet'],
])('%j %j acts as nobody, whatever the environment says', async (...named) => {
  for (const variable of [undefined, 'orchestrator']) {
    s.env.COUNTERSIGN_ACTOR = variable;
    const said = await s.say('', ...named, 'add', 'Work');
    expect([said.code, said.error.code]).toEqual([2, 'BAD_INPUT']);
    expect(said.error.hint).toContain('--actor NAME');
  }
  s.env.COUNTERSIGN_ACTOR = undefined;
  expect((await s.say('', 'list')).data.items).toEqual([]);
});

it('an empty COUNTERSIGN_ACTOR acts as nobody; a name in the option goes before it', async () => {
  s.env.COUNTERSIGN_ACTOR = '';
  const said = await s.say('', 'add', 'Work');
  expect([said.code, said.error.code]).toEqual([2, 'BAD_INPUT']);
  expect(said.error.hint).toContain('unset COUNTERSIGN_ACTOR');
  expect((await s.say('orchestrator', 'add', 'Work')).code).toBe(0);
});

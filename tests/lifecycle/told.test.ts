import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../session.ts';
import {
  asPerson,
  bring,
  escalated,
  fail,
  guide,
  move,
  must,
  openLifecycle,
  propose,
  stateOf,
} from './crew.ts';

// Whoever has to go on is told so, with the exact command.
let s: Session;
beforeEach(async () => {
  s = await openLifecycle();
});
afterEach(() => s.close());

const seen = async (actor: string, ...words: readonly string[]) => (await s.text(actor, ...words)).out;

describe('an approach that was rejected', () => {
  const line = (id: string) => `move ${id} propose --reason "WHY" --evidence PATH`;

  test('waits for another one of the developer, who is told so, until there is one', async () => {
    const id = await bring(s, 'planning');
    expect(await seen('developer', 'next')).not.toContain(id);
    expect(await seen('developer', 'inbox')).not.toContain(id);
    must(await fail(s, id, 'It locks the whole table'));
    expect(await seen('developer', 'next')).toContain(`countersign --actor developer ${line(id)}`);
    const inbox = await seen('developer', 'inbox');
    expect(inbox).toContain(`${id} Implement login screen: its approach was rejected, validator`);
    expect(inbox).toContain('It locks the whole table');
    expect(inbox).toContain(`next: countersign --actor developer ${line(id)}`);
    expect(await seen('validator', 'inbox')).not.toContain(id);
    await propose(s, id);
    expect(await seen('developer', 'next')).not.toContain(line(id));
    expect(await seen('developer', 'inbox')).not.toContain(id);
    expect(await seen('validator', 'next')).toContain(`move ${id} validate`);
  });

  test('the validator is told whose step comes first', async () => {
    const id = await bring(s, 'planning');
    must(await fail(s, id, 'It locks the whole table'));
    const refused = await move(s, 'validator', id, 'validate');
    expect(refused.error.next).toEqual([`countersign ${line(id)}  [fullstack-developer (developer)]`]);
  });
});

test('a CTO is told of the reviews of the code base that are due, and of none that was given', async () => {
  await s.say('planner', 'add', 'Without a plan');
  for (let n = 0; n < 51; n++) await s.say('planner', 'add', `Without a plan ${n}`);
  s.repo.write('plan.md', 'a plan\n');
  const { id } = must(await s.say('planner', 'add', 'With a plan', '--plan-file', 'plan.md')).data;
  const { messages } = (await s.say('chief', 'inbox')).data;
  expect(messages).toMatchObject([
    { to: 'cto', item: id, next: [`countersign --actor chief move ${id} codebase-review --reason "WHY"`] },
  ]);
  must(await move(s, 'chief', id, 'codebase-review'));
  expect((await s.say('chief', 'inbox')).data.messages).toEqual([]);
});

describe('an item that a person sent past the work, of which nothing was ever finished', () => {
  test('in the quality review it is refused clearly, and goes back to be built', async () => {
    const id = await escalated(s);
    await asPerson(s, id, 'resolve', { to: 'quality_review' });
    expect(await stateOf(s, id)).toBe('quality_review');
    const back = `countersign --actor monitor move ${id} fail --reason "WHY"`;
    expect(await seen('monitor', 'next')).toContain(back);
    expect(await seen('monitor', 'show', id)).toContain(`next: ${back}`);
    const refused = await s.say('monitor', 'verify', id);
    expect(refused.error).toMatchObject({ code: 'gate-closed', next: [back] });
    expect(refused.error.message).toContain('there is no commit to look at');
    // Whoever may not ask is told that, and nothing else.
    expect((await s.say('developer', 'verify', id)).error.code).toBe('wrong-role');
    must(await fail(s, id, 'Nothing was built'));
    expect(await stateOf(s, id)).toBe('in_progress');
  });

  test('in testing its review is not asked for, and it goes back to be built', async () => {
    const id = await escalated(s);
    await asPerson(s, id, 'resolve', { to: 'testing' });
    const back = `countersign --actor developer move ${id} fail --reason "WHY"`;
    const next = await seen('developer', 'next');
    expect(next).toContain(back);
    expect(next).not.toContain('ask-review');
    s.repo.write('self-check.txt', 'checked by hand\n');
    const refused = await move(s, 'developer', id, 'ask-review', '--evidence', 'self-check.txt');
    expect(refused.error).toMatchObject({ code: 'gate-closed', next: [back] });
    expect(refused.error.missing.map(({ because }) => because).join()).toContain(
      'nothing of it was finished',
    );
    must(await fail(s, id, 'Nothing was built'));
    expect(await stateOf(s, id)).toBe('in_progress');
  });

  test('what was finished before goes on from there', async () => {
    const id = await bring(s, 'testing');
    for (const guidance of ['first advice', 'second advice', '']) {
      for (let n = 0; n < 3; n++) {
        must(await fail(s, id, 'It does not hold'));
        if ((await stateOf(s, id)) !== 'in_progress') continue;
        s.repo.commit({ 'work.txt': `done ${guidance} ${n}\n` });
        must(await move(s, 'developer', id, 'finish'));
      }
      if (guidance !== '') must(await guide(s, id, 'return', guidance));
    }
    await asPerson(s, id, 'resolve', { to: 'testing' });
    const next = await seen('developer', 'next');
    expect(next).toContain(`move ${id} ask-review`);
    expect(next).not.toContain(`move ${id} fail`);
  });
});

test('the approval is asked for as the verification that it is, whoever tries it as a step', async () => {
  const id = await bring(s, 'quality_review');
  const line = `countersign --actor monitor verify ${id}`;
  for (const command of ['approve', 'verify']) {
    const tried = await move(s, 'monitor', id, command);
    expect(tried.error.next, command).toEqual([line]);
  }
  expect((await s.say('monitor', 'verify', id)).data.status).toBe('approved');
});

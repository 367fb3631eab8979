import { afterEach, expect, test } from 'vitest';
import type { Ports } from '../../src/engine/ports.ts';
import { DONE_CHECK, openSession, type Session, TEAM } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// What cannot be undone is followed up: both items change together, or neither does.
let s: Session;
afterEach(() => s.close());

const FILES = { '.countersign/criteria/other.yaml': DONE_CHECK.replace('name: default', 'name: other') };

async function rejected(...add: readonly string[]): Promise<string> {
  const id = await bring(s, 'verified', '--quality', ...add);
  await s.say('quality-validator', 'report', id, '--reject', '--finding', 'no test for empty names');
  return id;
}

test.each(['', '   ', 'two\nlines'])('a title that no item may have (%j) changes nothing', async (title) => {
  s = await openSession();
  for (const id of [await rejected(), await bring(s, 'completed', '--list', 'other')]) {
    const before = await s.snapshot(id);
    expect((await s.say('orchestrator', 'follow-up', id, title)).code).toBe(2);
    expect(await s.snapshot(id)).toBe(before);
  }
  expect((await s.say('', 'list')).data.items).toHaveLength(2);
});

test('an item that can still be worked on has none, and the answer says where to look', async () => {
  s = await openSession();
  const id = await bring(s, 'blocked');
  const told = await s.text('orchestrator', 'follow-up', id, 'Mend it');
  expect(told.code).toBe(2);
  expect(`${told.out}${told.err}`).toContain(`next: what it needs: countersign show ${id}`);
});

test('where the write of the new item fails, the old one is untouched, and the same command works later', async () => {
  const disk = { full: false };
  s = await openSession({ wrap: (ports) => failing(ports, disk) });
  const id = await rejected();
  const before = await s.snapshot(id);
  disk.full = true;
  expect((await s.text('orchestrator', 'follow-up', id, 'Mend it')).code).not.toBe(0);
  expect(await s.snapshot(id)).toBe(before);
  disk.full = false;
  expect((await s.say('orchestrator', 'follow-up', id, 'Mend it')).code).toBe(0);
});

/** No write that opens an item succeeds while the disk is full. */
function failing(ports: Ports, disk: { readonly full: boolean }): Ports {
  const commit: Ports['store']['commit'] = async (asked) => {
    const opens = asked.appends.some(({ bodies }) => bodies.some((b) => b.includes('"type":"opened"')));
    if (disk.full && opens) throw new Error('no space left on the disk');
    return ports.store.commit(asked);
  };
  const store = new Proxy(ports.store, {
    get(target, name) {
      if (name === 'commit') return commit;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...ports, store };
}

test('the new item is judged by the criteria of the old one, and both change in one command', async () => {
  s = await openSession({ files: { 'README.md': '# Scratch\n', ...FILES } });
  for (const id of [
    await rejected('--criteria', 'other'),
    await bring(s, 'completed', '--criteria', 'other', '--list', 'second'),
  ]) {
    const next = await s.say('orchestrator', 'follow-up', id, 'Mend it');
    const [opened] = await s.events(next.data.id);
    expect(opened).toMatchObject({ type: 'opened', facts: { criteria: 'other' } });
    expect((await s.events(id)).at(-1)).toMatchObject({ type: 'linked', to: next.data.id });
  }
  expect(await s.text('', 'audit', 'verify')).toMatchObject({ code: 0 });
});

test('who may not supersede is refused, and the attempt is on record', async () => {
  s = await openSession();
  const id = await rejected();
  const before = await s.snapshot(id);
  expect((await s.say(DEVELOPER, 'follow-up', id, 'Mend it')).code).toBe(7);
  expect(await s.snapshot(id)).toBe(before);
  expect((await s.refusals(id)).at(-1)).toMatchObject({ by: DEVELOPER, attempted: 'supersede' });
});

test('nothing is superseded by nothing: the step alone is refused, names the way, and the way is still open', async () => {
  s = await openSession();
  const id = await rejected();
  const before = await s.snapshot(id);
  const alone = await s.say('orchestrator', 'move', id, 'supersede', '--reason', 'it is crooked');
  expect(alone.code).toBe(3);
  expect(alone.out).toContain(`countersign follow-up ${id}`);
  expect(await s.snapshot(id)).toBe(before);
  expect((await s.refusals(id)).at(-1)).toMatchObject({ by: 'orchestrator', attempted: 'supersede' });
  const next = await s.say('orchestrator', 'follow-up', id, 'Mend it');
  expect(next.code).toBe(0);
  expect((await s.events(id)).at(-1)).toMatchObject({ kind: 'superseded-by', to: next.data.id });
});

test('who waited for the superseded item waits for the new one, and nobody can begin to wait for the old one', async () => {
  s = await openSession();
  const id = await rejected();
  const waiting = await bring(s, 'pending', '--depends-on', id);
  const { data } = await s.say('orchestrator', 'follow-up', id, 'Mend it');
  expect((await s.say('', 'show', waiting)).data.depends_on).toEqual([data.id]);
  expect((await s.say('orchestrator', 'dispatch', waiting, '--to', DEVELOPER)).code).toBe(3);
  const late = await s.say('orchestrator', 'add', 'Later', '--depends-on', id);
  expect([late.code, late.error.hint]).toEqual([2, `depend on ${data.id}`]);
  expect(await s.text('', 'audit', 'verify')).toMatchObject({ code: 0 });
});

test('a superseded item is neither done nor open: the list can be finished, and nothing is offered on it', async () => {
  s = await openSession();
  const id = await rejected();
  await bring(s, 'completed');
  const { data } = await s.say('orchestrator', 'follow-up', id, 'Mend it');
  const { progress } = (await s.say('', 'list')).data;
  expect(progress).toMatchObject({ done: 1, total: 2, superseded: 1, byState: { completed: 1, pending: 1 } });
  expect((await s.say('orchestrator', 'show', id)).data).toMatchObject({ status: 'verified', options: [] });
  const told = (await s.say('orchestrator', 'next')).data;
  expect([told.next, told.waiting].flat()).toEqual([expect.objectContaining({ id: data.id })]);
  const refused = await s.say('orchestrator', 'list', '--assert-done');
  expect(refused.error).toMatchObject({ open: [{ item: data.id }] });
  const again = await s.say('orchestrator', 'follow-up', id, 'Once more');
  expect([again.code, again.error.hint]).toEqual([2, `see: countersign show ${data.id}`]);
});

test('who waits for what was given up is led to the work in its place, and nobody can begin to wait for it', async () => {
  s = await openSession({ agents: { ...TEAM, lead: ['lead'] } });
  await s.say('', 'add', 'Given up', '--protocol', 'goal-task');
  const waiting = await bring(s, 'pending', '--depends-on', 'T-1');
  expect((await s.say('lead', 'move', 'T-1', 'abandon', '--reason', 'no use')).code).toBe(0);
  const way = 'countersign follow-up T-1 "TITLE"';
  expect((await s.text('orchestrator', 'next')).out).toContain(`T-1 was given up: ${way}  [lead or human]`);
  const refused = await s.say('orchestrator', 'dispatch', waiting, '--to', DEVELOPER);
  expect(refused.error.hint).toContain(way);
  expect((await s.text('orchestrator', 'show', waiting)).out).toContain(`${way}  [lead or human]`);
  const late = await s.say('', 'add', 'Later', '--depends-on', 'T-1');
  expect([late.code, late.error.hint]).toEqual([2, `${way}, and depend on that`]);
  const { data, code } = await s.say('', 'follow-up', 'T-1', 'Done otherwise');
  expect(code).toBe(0);
  expect((await s.say('', 'show', waiting)).data.depends_on).toEqual([data.id]);
  expect((await s.say('', 'follow-up', 'T-1', 'Twice')).code).toBe(2);
  expect(await s.text('', 'audit', 'verify')).toMatchObject({ code: 0 });
});

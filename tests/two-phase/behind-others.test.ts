import { afterEach, expect, it } from 'vitest';
import { callerOf } from '../../src/engine/credential.ts';
import { NEW_ITEM } from '../../src/engine/new-item.ts';
import { openItems } from '../../src/engine/open.ts';
import { sessionStart } from '../../src/hooks/events/session-start.ts';
import type { Moment } from '../../src/hooks/payload.ts';
import type { Surroundings } from '../../src/hooks/surroundings.ts';
import { talk } from '../mcp/in-memory.ts';
import { openSession, type Session } from '../session.ts';

let session: Session | undefined;
afterEach(() => session?.close());

/** A list whose first item is in somebody's hands, so many that wait for it, and one that is free behind them. */
async function behind(count: number): Promise<Session> {
  const now = await openSession();
  session = now;
  await now.say('', 'add', 'First');
  await now.say('orchestrator', 'dispatch', 'T-1', '--to', 'swiftui-developer');
  const waiting = Array.from({ length: count }, (_, n) => {
    return { ...NEW_ITEM, title: `Waits ${n}`, list: 'all', dependsOn: ['T-1'] };
  });
  const free = { ...NEW_ITEM, title: 'Free' };
  await now.with(async (opened) => openItems(opened.ports, await callerOf(opened, ''), [...waiting, free]));
  return now;
}

it('what can be done is told also where very many items that wait stand before it', async () => {
  const now = await behind(150);
  const told = await now.say('orchestrator', 'next');
  expect(told.data.next).toMatchObject([{ id: 'T-152', content: 'Free' }]);
  expect((await now.text('orchestrator', 'next')).out).not.toContain('Nothing for you to do');
});

it('where so many wait that not all are looked at, every face says so, and only then', async () => {
  const now = await behind(600);
  const way = 'Not all was looked at: countersign list --state pending';
  const told = await now.say('orchestrator', 'next');
  expect(told.data).toMatchObject({ next: [], unseen: ['pending'] });
  expect((await now.text('orchestrator', 'next')).out).toContain(way);
  const all = await now.text('orchestrator', 'next', '--list', 'all');
  expect(all.out).toContain('Nothing for you to do now.');
  expect(all.out).not.toContain('Not all');

  const tools = await talk(now, 'orchestrator');
  const { data, text } = await tools.call('next');
  await tools.close();
  expect(data.unseen).toEqual(['pending']);
  expect(text).toContain('Not all was looked at: item_list {"states":["pending"]}');
  expect(text).not.toContain('Nothing for you to do');

  const around = { actor: 'orchestrator', state: now.repo.root, env: {}, open: () => now.composition.open() };
  const begun = await sessionStart({ session: 's' } as Moment, around as unknown as Surroundings);
  expect(begun).toMatchObject({ kind: 'context', text: expect.stringContaining(way) });
});

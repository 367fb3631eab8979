import { afterEach, expect, it } from 'vitest';
import { callerOf } from '../../src/engine/credential.ts';
import { NEW_ITEM } from '../../src/engine/new-item.ts';
import { openItems } from '../../src/engine/open.ts';
import { openSession, type Session } from '../session.ts';

let session: Session | undefined;
afterEach(() => session?.close());

it('what can be done is told also where very many items that wait stand before it', async () => {
  const now = await openSession();
  session = now;
  await now.say('', 'add', 'First');
  await now.say('orchestrator', 'dispatch', 'T-1', '--to', 'swiftui-developer');
  const waiting = Array.from({ length: 150 }, (_, n) => {
    return { ...NEW_ITEM, title: `Waits ${n}`, dependsOn: ['T-1'] };
  });
  const free = { ...NEW_ITEM, title: 'Free' };
  await now.with(async (opened) => openItems(opened.ports, await callerOf(opened, ''), [...waiting, free]));
  const told = await now.say('orchestrator', 'next');
  expect(told.data.next).toMatchObject([{ id: 'T-152', content: 'Free' }]);
  expect((await now.text('orchestrator', 'next')).out).not.toContain('Nothing for you to do');
});

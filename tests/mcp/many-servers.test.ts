import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { type Spoken, speakTo } from './stdio.ts';

let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession({ agents: { orchestrator: ['workflow-orchestrator'], builder: ['specialist'] } });
});
afterAll(() => {
  program.remove();
  s.close();
});

const server = () =>
  speakTo(program, s.repo.top, s.env, ['--actor', 'orchestrator', '--profile', 'two-phase']);

const idsOf = async (spoken: Spoken): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let after = 0, begun = false; !begun || after > 0; begun = true) {
    const { data } = await spoken.call('item_list', { limit: 100, after });
    ids.push(...(data.items as readonly { id: string }[]).map(({ id }) => id));
    after = Number(data.next_after);
  }
  return ids;
};

test('eight servers, fifty items and moves each, on one store: 400 of 400, no id twice', async () => {
  const servers = await Promise.all(Array.from({ length: 8 }, server));
  const work = servers.map(async ({ call }, n) => {
    const ids: string[] = [];
    for (let i = 0; i < 50; i++) {
      const added = await call('item_add', { title: `Item ${i} of server ${n}`, list: `of-${n}` });
      const id = added.data.item?.id ?? '';
      const moved = await call('item_dispatch', { item: id, to: 'builder' });
      if (!added.isError && moved.data.item?.status === 'in_progress') ids.push(id);
    }
    return ids;
  });
  const ids = (await Promise.all(work)).flat();
  expect([ids.length, new Set(ids).size]).toEqual([400, 400]);
  const [first] = servers;
  expect(new Set(await idsOf(first as Spoken))).toEqual(new Set(ids));
  await Promise.all(servers.map(({ close }) => close()));
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('a server killed in the middle of a write: nothing acknowledged is lost, and the next call answers at once', async () => {
  const watcher = await server();
  const acknowledged: string[] = [];
  for (let kill = 0; kill < 20; kill++) {
    const victim = await server();
    const writes = Array.from({ length: 30 }, async (_, n) => {
      const { isError, data } = await victim.call('item_add', {
        title: `Kill ${kill}, item ${n}`,
        list: 'killed',
      });
      if (!isError) acknowledged.push(data.item?.id ?? '');
    });
    await Promise.race([...writes.slice(kill % 7, (kill % 7) + 1), Promise.resolve()]);
    process.kill(victim.pid, 'SIGKILL');
    await Promise.allSettled(writes);
    const began = performance.now();
    expect((await watcher.call('item_add', { title: `After kill ${kill}`, list: 'killed' })).isError).toBe(
      false,
    );
    expect(performance.now() - began).toBeLessThan(5_000);
  }
  const ids = new Set(await idsOf(watcher));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  await watcher.close();
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

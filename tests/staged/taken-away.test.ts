import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findRow, itemStream } from '../../src/engine/handle.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { type Crew, openCrew } from './crew.ts';
import { reach, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

test('R9: a task that was taken away, and that nobody has yet: what was decided before is not written', async () => {
  let meanwhile: (() => Promise<void>) | undefined;
  let looks = 0;
  const wrap = (ports: Ports): Ports => {
    const read = ports.store.read.bind(ports.store);
    const waits: typeof read = async (stream) => {
      if (stream === `lease/task/${TASK}` && meanwhile !== undefined) {
        looks -= 1;
        if (looks === 0) {
          const first = meanwhile;
          meanwhile = undefined;
          await first();
        }
      }
      return read(stream);
    };
    return { ...ports, store: Object.assign(ports.store, { read: waits }) };
  };
  crew = await openCrew({ wrap });
  await reach(crew, 'CLASSIFIED');
  const given = ['--risk', 'LOW', '--agents', 'architect', '--reason', 'r'];
  // Before each of its looks at the lease in turn: wherever it was stopped, it comes too late.
  for (let at = 1, isOver = false; !isOver; at++) {
    const take = await crew.shownForce(TASK, 'it does not answer');
    const before = (await crew.session.events('T-1')).length;
    looks = at;
    meanwhile = take;
    const late = await crew.go('task', 'assess', TASK, ...given);
    expect([at, meanwhile]).toEqual([at, undefined]);
    isOver = late.code === 0;
    if (!isOver) {
      expect([at, (await crew.session.events('T-1')).length]).toEqual([at, before]);
      await crew.resumes('s-1');
    }
  }
  // The one that was taken stands in the log before its task was taken away.
  const [written, taken] = await crew.session.with(async ({ ports }) => {
    const item = itemStream((await findRow(ports, 'T-1')).id);
    return [await ports.store.read(item), await ports.store.read(`lease/task/${TASK}`)];
  });
  expect(written?.at(-1)?.position).toBeLessThan(taken?.at(-1)?.position ?? 0);
});

/** An approved task whose landing runs its checks; what is given happens while they run. */
async function landsWhile(): Promise<{ set(work: () => Promise<unknown>): void; readonly before: string }> {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const wrap = (ports: Ports): Ports => {
    const run = ports.runner.run.bind(ports.runner);
    const waits: typeof run = async (question) => {
      const first = meanwhile;
      meanwhile = undefined;
      await first?.();
      return run(question);
    };
    return { ...ports, runner: Object.assign(ports.runner, { run: waits }) };
  };
  crew = await openCrew({ wrap });
  await reach(crew, 'COMPLETE');
  const { top } = crew.session.repo;
  crew.write(join(top, 'elsewhere.txt'), 'the main branch moved meanwhile\n');
  crew.git(top, 'add', '-A');
  crew.git(top, 'commit', '-q', '-m', 'elsewhere');
  const set = (work: () => Promise<unknown>) => {
    meanwhile = work;
  };
  return { set, before: crew.git(top, 'rev-parse', 'main') };
}

test('R9: a task that is taken away while the checks run for its landing does not land', async () => {
  const { set, before } = await landsWhile();
  const { top } = crew.session.repo;
  const take = await crew.shownForce(TASK, 'it does not answer');
  set(async () => {
    await take();
    await crew.resumes('s-2');
  });
  const late = await crew.go('task', 'land', TASK);
  expect(late.code).toBe(7);
  expect(late.error.message).toContain('held by session s-2');
  expect(crew.git(top, 'rev-parse', 'main')).toBe(before);
  expect((await crew.say(top, 'lead', '', 'lease', 'show', 'main')).data.holder).toBe(null);
  expect((await crew.say(top, 'lead', 's-2', 'task', 'land', TASK)).code).toBe(0);
});

test.each([
  ['cancel', 'CANCELLED'],
  ['request-change', 'IMPLEMENTATION'],
])('a person says %s while the checks run for a landing: nothing lands', async (command, state) => {
  const { set, before } = await landsWhile();
  const { top } = crew.session.repo;
  set(() => crew.decides(command, 'stop'));
  const late = await crew.go('task', 'land', TASK);
  expect([late.code, late.error.message]).toEqual([2, `${TASK} is ${state} by now: nothing landed`]);
  expect(crew.git(top, 'rev-parse', 'main')).toBe(before);
  expect((await crew.say(top, 'lead', '', 'lease', 'show', 'main')).data.holder).toBe(null);
});

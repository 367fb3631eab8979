import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Moved } from '../../src/kernel/event.ts';
import { buildProgram, inProcess, type Program } from '../terminal.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const TEN = Array.from({ length: 10 }, (_, n) => n);
let program: Program;
let w: Workshop;
beforeAll(async () => {
  program = buildProgram();
  w = await openWorkshop();
  // Before the machine's own clock, by which the processes tell time.
  w.s.at(new Date(Date.now() - 3_600_000).toISOString());
  for (const n of TEN) await w.s.register(`verifier-${n}`, ['verifier']);
});
afterAll(() => {
  program.remove();
  w.s.close();
});

test('GOAL-24: ten processes verify the ten tasks of a goal at the same moment: it moves once, and misses none', async () => {
  const goal = await w.goal();
  const tasks: string[] = [];
  for (const _ of TEN) tasks.push(await w.bring(goal, 'completed'));
  const ended = await Promise.all(
    tasks.map((task, n) => inProcess(program, w.s, ['--actor', `verifier-${n}`, '--json', 'verify', task])),
  );
  expect(ended.map(({ code, out }) => [code, code === 0 ? '' : out])).toEqual(TEN.map(() => [0, '']));
  const moved = (await w.s.events(goal)).filter((e): e is Moved => e.type === 'moved' && e.from !== e.to);
  expect(moved.map(({ from, to }) => `${from} ${to}`)).toEqual(['open active', 'active pending_verify']);
  expect(await w.status(goal)).toMatchObject({ status: 'pending_verify', counts: { verified: 10 } });
  for (const task of tasks) {
    const events = await w.s.events(task);
    expect(events.filter((e) => e.type === 'recorded' && e.kind === 'proof-pack')).toHaveLength(1);
    expect(events.filter((e) => e.type === 'moved' && e.to === 'verified')).toHaveLength(1);
  }
  expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
});

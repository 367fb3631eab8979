import { afterAll, beforeAll, expect, it } from 'vitest';
import { processesIn } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const inMinutes = (n: number) => stage.s.at(new Date(Date.parse(stage.s.now()) + n * 60_000).toISOString());

it('an agent that has said its last word and does not end has a few minutes to put its things away', async () => {
  const [phase = ''] = await stage.plan('Design Phase');
  const agent = await stage.deploy(phase);
  await stage.completes(agent, { 'work.txt': 'done\n' });
  inMinutes(3);
  await stage.must('', 'tick');
  expect(processesIn(stage.trees, agent)).not.toEqual([]);
  inMinutes(3);
  await stage.must('', 'tick');
  expect(processesIn(stage.trees, agent)).toEqual([]);
  const said = await stage.s.say(agent, 'phase', 'status', phase);
  expect([said.code, said.error.code]).toEqual([7, 'NO_CREDENTIAL']);
});

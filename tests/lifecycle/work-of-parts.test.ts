import { afterEach, expect, test } from 'vitest';
import { claimStep } from '../../src/engine/gates.ts';
import { loadItem } from '../../src/engine/handle.ts';
import { openSession, type Session, TEAM } from '../session.ts';
import { DEVELOPER } from '../two-phase/bring.ts';
import { add, CREW, lead, move, must, work } from './crew.ts';

// A part is the work of its task: what the parts showed is the task's to hand in.
let s: Session;
afterEach(() => s.close());

async function verified(...more: readonly string[]): Promise<string> {
  const { id } = must(
    await s.say('', 'add', 'A piece', '--protocol', 'two-phase', '--list', 'pieces', ...more),
  ).data;
  must(await s.say('', 'dispatch', id, '--to', DEVELOPER));
  work(s, id);
  must(await s.say(DEVELOPER, 'claim', id));
  must(await s.say('verification-agent', 'verify', id));
  return id;
}

const claimed = (id: string) =>
  s.with(async ({ ports }) => claimStep((await loadItem(ports, id)).item)?.facts ?? {});

test('CX-14: a task all of whose work was done by its parts hands in theirs, and no other hands in the same', async () => {
  const agents = { ...CREW, ...TEAM, orchestrator: ['build-orchestrator', 'workflow-orchestrator'] };
  s = await openSession({ agents, config: 'protocol: lifecycle\n', ownerRoles: ['workflow-orchestrator'] });
  const main = s.repo.git('rev-parse', 'main');
  s.repo.git('checkout', '-q', 'main');
  const task = await add(s);
  const other = await add(s);
  await lead(s, task, 'in_progress');
  await verified('--part-of', task);
  await verified('--part-of', task);
  expect((await move(s, 'developer', task, 'finish')).code).toBe(0);
  expect(await claimed(task)).toMatchObject({ base: main, changed: 1 });
  await lead(s, task, 'approved');
  await lead(s, other, 'in_progress');
  const refused = await move(s, 'developer', other, 'finish');
  expect(refused.error.missing[0]?.because).toContain('was verified for');
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

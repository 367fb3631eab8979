import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Moved } from '../../src/kernel/event.ts';
import { openSession, type Said, type Session } from '../session.ts';
import { buildProgram, inTerminal, type Program } from '../terminal.ts';

// J04: lifecycle failures and escalation, through the command line, the people at a real terminal.
const CREW = {
  paula: ['plan-manager'],
  otto: ['build-orchestrator'],
  vera: ['solution-validator'],
  dan: ['fullstack-developer'],
  quinn: ['quality-monitor'],
  gus: ['git-manager'],
  cora: ['cto'],
};

let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession({ agents: CREW });
  // Before the machine's own clock, by which the program at the terminal tells time.
  s.at(new Date(Date.now() - 6 * 3_600_000).toISOString());
});
afterAll(() => {
  program.remove();
  s.close();
});

const must = async (actor: string, ...words: readonly string[]): Promise<Said> => {
  const said = await s.say(actor, ...words);
  if (said.code !== 0) throw new Error(`${actor} ${words.join(' ')}: ${said.code} ${said.out}${said.err}`);
  return said;
};
const move = (actor: string, id: string, command: string, ...more: readonly string[]) =>
  must(actor, 'move', id, command, '--reason', `${command} it is`, ...more);
const state = async (id: string) => (await must('', 'show', id)).data.status;
const history = async (id: string) => (await must('', 'history', id)).data;
const asPerson = (...words: readonly string[]) => inTerminal(program, s, words, (code) => `${code}\r`);
const add = async (title: string) => (await must('paula', 'add', title, '--protocol', 'lifecycle')).data.id;

async function planned(id: string): Promise<void> {
  await move('otto', id, 'assign');
  await move('vera', id, 'plan');
}

async function propose(id: string, approach: string): Promise<void> {
  s.repo.write('approach.md', `${approach}\n`);
  await move('dan', id, 'propose', '--evidence', 'approach.md');
}

async function rejectedThreeTimes(id: string): Promise<void> {
  for (const n of [1, 2, 3]) {
    await propose(id, `${id}: approach ${n}`);
    const failed = await must('vera', 'move', id, 'fail', '--reason', `approach ${n} leaves out refunds`);
    expect(failed.data.status).toBe(n < 3 ? 'planning' : 'cto_intervention');
  }
}

/** From in progress to the verdict of the quality monitor. */
async function judged(id: string, good: boolean): Promise<Said> {
  s.repo.commit({ 'work.txt': `${good ? 'done' : 'begun'} ${id} ${s.now()}\n` });
  await move('dan', id, 'finish');
  s.repo.write('checks.log', `checked at ${s.now()}\n`);
  await move('dan', id, 'ask-review', '--evidence', 'checks.log');
  return s.say('quinn', 'verify', id);
}

describe('J04: a task that fails at every turn and is finished in the end', () => {
  let id: string;
  test('three rejected approaches call the CTO; nobody else goes on; guidance leads back to the planning', async () => {
    id = await add('Refunds by card');
    await planned(id);
    await rejectedThreeTimes(id);
    for (const [actor, command] of [
      ['vera', 'validate'],
      ['dan', 'begin'],
      ['paula', 'return'],
      ['vera', 'fail'],
    ] as const)
      expect((await s.say(actor, 'move', id, command, '--reason', 'go on', '--guidance', 'x')).code).not.toBe(
        0,
      );
    expect(await state(id)).toBe('cto_intervention');
    expect((await s.text('cora', 'list', '--escalated')).out).toContain(id);
    await must('cora', 'move', id, 'return', '--guidance', 'Take the ledger of the bank as the truth');
    expect(await history(id)).toMatchObject({ currentState: 'planning', failureCount: 0, ctoAttempts: 1 });
    await propose(id, 'With the ledger of the bank');
    await move('vera', id, 'validate');
    expect((await history(id)).briefing).toMatchObject({ guidance: [{ by: 'cora', outcome: 'solved' }] });
  });

  test('quality fails across in_progress and testing, and its count goes on until the second intervention', async () => {
    await move('dan', id, 'begin');
    for (const n of [1, 2, 3]) {
      const verdict = await judged(id, false);
      expect(verdict.code).toBe(4);
      expect(verdict.data.status).toBe(n < 3 ? 'in_progress' : 'cto_intervention');
      expect((await history(id)).failures).toMatchObject({ quality_review: n });
    }
    expect(await history(id)).toMatchObject({ ctoAttempts: 2 });
  });

  test('the CTO rolls it back, for all to see; then it passes', async () => {
    await must('cora', 'move', id, 'rollback', '--to', 'in_progress', '--guidance', 'Begin with the totals');
    const rolled = (await s.events(id)).at(-1) as Moved;
    expect(rolled).toMatchObject({ command: 'rollback', to: 'in_progress', by: 'cora' });
    const verdict = await judged(id, true);
    expect(verdict.data).toMatchObject({ status: 'approved', verdict: 'PASSED' });
  });

  test('three failures before the commit reach the limit again: no third intervention, a person', async () => {
    for (const n of [1, 2, 3]) {
      await move('gus', id, 'commit');
      const failed = await must('gus', 'move', id, 'fail', '--reason', `the hook refuses it, ${n}`);
      if (n === 3) {
        expect(failed.data.status).toBe('human_escalation');
        break;
      }
      expect(failed.data.status).toBe('in_progress');
      expect((await judged(id, true)).data.status).toBe('approved');
    }
    const via = (await s.events(id)).slice(-2) as Moved[];
    expect(via.map(({ to }) => to)).toEqual(['cto_intervention', 'human_escalation']);
    expect(await history(id)).toMatchObject({ ctoAttempts: 2 });
    for (const [actor, command] of [
      ['cora', 'return'],
      ['cora', 'resolve'],
      ['otto', 'resolve'],
      ['gus', 'commit'],
      ['cora', 'abandon'],
    ] as const) {
      const words = ['--to', 'in_progress', '--reason', 'on', '--guidance', 'on'];
      expect((await s.say(actor, 'move', id, command, ...words)).code).not.toBe(0);
    }
    expect(await state(id)).toBe('human_escalation');
  });

  test('a person sends it back at the terminal, and it is finished', async () => {
    const words = ['move', id, 'resolve', '--to', 'in_progress', '--reason', 'The hook is mended'];
    expect((await s.say('', ...words)).code).not.toBe(0);
    expect((await asPerson(...words)).code).toBe(0);
    expect(await history(id)).toMatchObject({ currentState: 'in_progress', failureCount: 0, failures: {} });
    expect((await judged(id, true)).data.status).toBe('approved');
    await move('gus', id, 'commit');
    const commit = s.repo.git('rev-parse', 'HEAD');
    await move('gus', id, 'committed', '--commit', commit);
    expect(await state(id)).toBe('completed');
    // What was tried and failed on the way stays told.
    const { briefing } = (await history(id)) as unknown as { briefing: { failures: unknown[] } };
    expect(briefing.failures).toHaveLength(9);
  });
});

describe('J04: a task that a person gives up', () => {
  let id: string;
  test('the CTO skips what cannot be planned, visibly', async () => {
    id = await add('Refunds by fax');
    await planned(id);
    await rejectedThreeTimes(id);
    await must('cora', 'move', id, 'skip', '--guidance', 'There is nothing to plan');
    expect(await state(id)).toBe('validated');
    expect((await s.events(id)).at(-1)).toMatchObject({ command: 'skip', by: 'cora', to: 'validated' });
  });

  test('in the second intervention the CTO hands it to a person, who abandons it: the end', async () => {
    await move('dan', id, 'begin');
    for (const n of [1, 2, 3]) await must('dan', 'move', id, 'fail', '--reason', `no fax machine, ${n}`);
    expect(await state(id)).toBe('cto_intervention');
    expect((await s.say('cora', 'move', id, 'skip', '--guidance', 'x')).code).not.toBe(0);
    await move('cora', id, 'escalate');
    const words = ['move', id, 'abandon', '--reason', 'Nobody has one'];
    for (const actor of ['cora', 'paula', 'dan']) expect((await s.say(actor, ...words)).code).not.toBe(0);
    expect((await asPerson(...words)).code).toBe(0);
    expect(await state(id)).toBe('failed');
    for (const [actor, command] of [
      ['dan', 'begin'],
      ['cora', 'return'],
      ['otto', 'assign'],
    ] as const)
      expect((await s.say(actor, 'move', id, command, '--reason', 'x', '--guidance', 'x')).code).toBe(6);
  });

  test('the store tells the same of all of it', async () => {
    expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
    const events = (await must('', 'history', id, '--events')).data as unknown as { event: string }[];
    expect(events.filter(({ event }) => event === 'CTO_INTERVENTION')).toHaveLength(2);
  });
});

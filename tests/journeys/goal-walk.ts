import { expect } from 'vitest';
import type { GoalStatus } from '../../src/engine/goals.ts';
import { openSession, type Said, type Session } from '../session.ts';

/** Hands on a goal: what is said succeeds or is refused, and every piece of work has a branch of its own. */
export interface GoalWalk {
  readonly s: Session;
  /** Must succeed. */
  ok(actor: string, ...words: readonly string[]): Promise<Said>;
  /** Must be refused, for a reason that says this, and change nothing. */
  no(because: string, actor: string, item: string, ...words: readonly string[]): Promise<void>;
  work(task: string, good?: boolean): void;
  submit(task: string, builder: string, ...more: readonly string[]): Promise<Said>;
  merge(...tasks: readonly string[]): void;
  /** Builds it, has it approved and asks for the verdict. */
  pass(task: string, hands: { builder: string; reviewer: string; verifier: string }): Promise<void>;
  state(item: string): Promise<string>;
  status(goal: string): Promise<GoalStatus>;
}

/** A session whose main branch holds work that the criteria accept, so long as nobody spoils it. */
export async function walkWith(agents: Readonly<Record<string, readonly string[]>>): Promise<GoalWalk> {
  const files = { 'README.md': '# Shop\n', 'work.txt': 'done\n' };
  const s = await openSession({ agents, files, config: '' });
  s.repo.git('checkout', '-q', 'main');
  const ok: GoalWalk['ok'] = async (actor, ...words) => {
    const said = await s.say(actor, ...words);
    if (said.code !== 0)
      throw new Error(`${actor} ${words.join(' ')}: exit ${said.code} ${said.out}${said.err}`);
    return said;
  };
  const state: GoalWalk['state'] = async (item) => (await ok('', 'show', item)).data.status;
  const submit: GoalWalk['submit'] = (task, builder, ...more) =>
    ok(builder, 'move', task, 'submit', '--commit', `b-${task}`, '--arg', 'summary=built', ...more);
  const work: GoalWalk['work'] = (task, good = true) => {
    const there = s.repo.git('branch', '--list', `b-${task}`) !== '';
    s.repo.git('checkout', '-q', ...(there ? [`b-${task}`] : ['-b', `b-${task}`, 'main']));
    s.repo.commit({ [`src/${task}.ts`]: `// at ${s.now()}\n`, 'work.txt': good ? 'done\n' : 'begun\n' });
    s.repo.git('checkout', '-q', 'main');
  };
  return {
    ...{ s, ok, state, work, submit },
    async no(because, actor, item, ...words) {
      const before = await s.snapshot(item);
      const { code, error, err } = await s.say(actor, ...words);
      expect(code, words.join(' ')).not.toBe(0);
      const missing = (error.missing ?? []).map((m) => m.because);
      expect([error.message, ...missing, err].join('\n')).toContain(because);
      expect(await s.snapshot(item)).toBe(before);
    },
    merge(...tasks) {
      for (const task of tasks) s.repo.git('merge', '-q', '--no-ff', '-m', `merge ${task}`, `b-${task}`);
    },
    async pass(task, { builder, reviewer, verifier }) {
      work(task);
      await submit(task, builder);
      await ok(reviewer, 'move', task, 'approve');
      await ok(verifier, 'verify', task);
    },
    status: async (goal) => (await ok('', 'goal', 'status', goal)).data as unknown as GoalStatus,
  };
}

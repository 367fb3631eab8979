import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setRoles } from '../../src/engine/actors.ts';
import { callerOf } from '../../src/engine/credential.ts';
import type { GoalStatus } from '../../src/engine/goals.ts';
import { taskItem } from '../../src/engine/staged/task-item.ts';
import { replaced } from '../phases/beside.ts';
import { LEAD, type Stage, stageOf } from '../phases/stage.ts';
import type { Said } from '../session.ts';
import { AGENTS, type Crew } from '../staged/crew.ts';
import { answered, approved, commits, DONE, reach, TASK } from '../staged/walk.ts';
import { LIFE_TEAM } from './lifecycle-states.ts';

/** How the one system is reached: over which store, through how many servers. */
export interface Reach {
  readonly crew: Crew;
  /** The next process that takes a step dies when it has written it, before anybody hears of that. */
  dieAtWrite(): void;
  /** The process that died is gone; others come. */
  revive(): void | Promise<void>;
}

/** Configuration that the journey needs, whatever the store. */
export { CONFIG as PHASES } from '../phases/stage.ts';

const OLD = [
  { content: 'Draw the logo', status: 'completed', activeForm: 'Drawing the logo' },
  { content: 'Choose a font', status: 'in_progress', activeForm: 'Choosing a font' },
];

/**
 * J15: an old list, a goal with a task in stages that is built in phases and one of the lifecycle, todo items below both; a
 * process and a reviewer that are killed; everything finishes, and one audit looks at all of it.
 */
export function oneSystem(name: string, open: () => Promise<Reach>): void {
  let reached: Reach;
  let crew: Crew;
  let stage: Stage;
  const names = { goal: '', staged: '', life: '', phased: '', below: '', beside: '' };
  beforeAll(async () => {
    reached = await open();
    crew = reached.crew;
    stage = stageOf(crew.session);
    await staff(crew);
  });
  afterAll(async () => {
    await stage.close();
  });

  const say = (actor: string, ...words: readonly string[]) => crew.session.say(actor, ...words);
  const must = async (actor: string, ...words: readonly string[]): Promise<Said> => {
    const said = await say(actor, ...words);
    if (said.code !== 0) throw new Error(`${actor} ${words.join(' ')}: ${said.code} ${said.out}${said.err}`);
    return said;
  };
  const stateOf = async (item: string) => (await must('', 'show', item)).data.status;
  const lacks = ({ error }: Said) =>
    [error.message, ...(error.missing ?? []).map(({ because }) => because)].join('\n');
  const git = (...words: string[]) => crew.git(crew.session.repo.top, ...words);
  const imports = (todos: unknown) => {
    crew.write(join(crew.session.repo.root, 'old.json'), JSON.stringify(todos));
    return say('', 'import', 'todo', join(crew.session.repo.root, 'old.json'), '--list', 'old');
  };
  /** A todo item from its beginning to its end, on a commit of its own. */
  const finished = async (item: string, commit: string) => {
    await must('orchestrator', 'dispatch', item, '--to', 'coder');
    await must('coder', 'start', item);
    await must('coder', 'claim', item, '--commit', commit);
    await must('checker', 'verify', item);
    await must('orchestrator', 'complete', item);
  };
  const because = ['--reason', 'as asked'] as const;

  describe(`J15 over ${name}`, () => {
    test('J15, 2PC-91: an old list is taken over: what it calls done counts as nothing verified', async () => {
      expect((await imports(OLD)).data.todos).toMatchObject([
        { state: 'completed' },
        { state: 'in_progress' },
      ]);
      expect((await must('', 'list', '--list', 'old')).data.progress).toMatchObject({ done: 0, legacy: 1 });
    });

    test('J15, GOAL-03: one goal holds a task in stages and one of the lifecycle', async () => {
      await reach(crew, 'IMPLEMENTATION');
      names.staged = await crew.session.with(async ({ ports }) => (await taskItem(ports, TASK)).display);
      names.goal = (await must('chief', 'goal', 'create', 'Dates everywhere')).data.id;
      const life = ['add', 'Tell of it', '--protocol', 'lifecycle', '--goal', names.goal];
      names.life = (await must('chief', ...life)).data.id;
      await must('chief', 'move', names.goal, 'link', '--arg', `task=${names.staged}`);
      expect(await stateOf(names.goal)).toBe('active');
      const again = await say('chief', 'move', names.goal, 'link', '--arg', `task=${names.staged}`);
      expect(lacks(again)).toContain('belongs to a goal already');
    });

    test('J15, CX-14: todo items stand below both tasks, phases below the one that is being built, and nothing below those', async () => {
      const below = (whole: string) => ['add', 'Write the examples', '--part-of', whole];
      names.below = (await must('orchestrator', ...below(names.staged))).data.id;
      names.beside = (await must('orchestrator', ...below(names.life))).data.id;
      expect(lacks(await say('orchestrator', ...below(names.below)))).toContain('nothing stands below it');
      const early = ['phase', 'plan', 'Tell', '--phase', 'Words', '--part-of', names.life];
      expect(lacks(await say(LEAD, ...early))).toContain('while it is built, in in_progress');
      const phases = ['--phase', 'Design', '--phase', 'Build', '--part-of', names.staged];
      names.phased = String((await must(LEAD, 'phase', 'plan', 'Read dates', ...phases)).data.task_id);
    });

    test('J15, PHASE-95: a reviewer is killed in mid-review, and another takes its place; PHASE-57: the process that advances dies after its write', async () => {
      const phase = (await stage.status(names.phased)).phase_id;
      await stage.completes(await stage.deploy(phase), { 'work.txt': 'done by phases\n' });
      await stage.verdict(phase, 'approve');
      await replaced(stage, phase, 1);
      await stage.verdict(phase, 'approve');
      await stage.verdict(phase, 'approve');
      reached.dieAtWrite();
      expect((await crew.session.text(LEAD, 'phase', 'advance', phase)).code).not.toBe(0);
      await reached.revive();
      expect(await stateOf(phase)).toBe('COMPLETED');
      expect((await stage.status(names.phased)).guidance.status).toBe('ACTIVE');
    });

    test('J15: the task in stages waits for its parts, and takes the approved work of its phases', async () => {
      for (const agent of AGENTS) {
        commits(crew, agent, agent === 'architect' ? { 'todo.md': DONE } : { [`${agent}.js`]: '1;\n' });
        await answered(crew, agent);
        expect((await crew.go('task', 'merge', TASK, agent)).code).toBe(0);
      }
      const early = await crew.go('task', 'merge', TASK, names.phased);
      expect(lacks(early)).toContain(`not all phases of ${names.phased} are approved`);
      const open = lacks(await crew.go('task', 'validate', TASK));
      expect(open).toContain(names.phased);
      expect(open).toContain(names.below);
      const phase = (await stage.status(names.phased)).phase_id;
      await stage.completes(await stage.deploy(phase), { 'dates.js': '1;\n' });
      for (const word of ['approve', 'approve', 'request_changes'] as const)
        await stage.verdict(phase, word, word === 'approve' ? [] : [{ severity: 'low', title: 'A word' }]);
      expect(await stateOf(names.phased)).toBe('completed');
      await finished(names.below, `phases/${names.phased}`);
      expect(lacks(await crew.go('task', 'validate', TASK))).toContain(
        `the approved work of ${names.phased} is not in`,
      );
      expect((await crew.go('task', 'merge', TASK, names.phased)).code).toBe(0);
      expect(await crew.go('task', 'validate', TASK)).toMatchObject({ code: 0 });
    });

    test('J15, PROTO-105: a process dies over the verdict; the task lands and is tidied up all the same', async () => {
      reached.dieAtWrite();
      expect((await crew.session.text(LEAD, 'verify', names.staged)).code).not.toBe(0);
      await reached.revive();
      await crew.go('verify', names.staged);
      expect(await stateOf(names.staged)).toBe('REVIEW');
      await reach(crew, 'AWAITING_USER_APPROVAL', 'AWAITING_USER_APPROVAL');
      await approved(crew);
      expect((await crew.go('task', 'complete', TASK)).code).toBe(0);
      await reach(crew, 'CLEANUP', 'CLEANUP');
      expect(await stateOf(names.staged)).toBe('CLEANUP');
      expect(await stateOf(names.goal)).toBe('active');
    });

    test('J15, LIFE-107: the task of the lifecycle waits for its todo item as well, and is committed', async () => {
      const move = (actor: string, ...words: readonly string[]) => say(actor, 'move', names.life, ...words);
      const all = [
        ['builder', 'assign'],
        ['validator', 'plan'],
        ['validator', 'validate'],
        ['developer', 'begin'],
      ] as const;
      for (const [actor, command] of all)
        expect((await move(actor, command, ...because)).code, command).toBe(0);
      git('checkout', '-q', '-b', 'tell', 'main');
      const todo = crew.session.repo.commit({ 'examples.md': 'done\n', 'work.txt': 'done, with examples\n' });
      const commit = crew.session.repo.commit({ 'news.md': 'done\n' });
      expect(lacks(await move('developer', 'finish', ...because))).toContain(names.beside);
      await finished(names.beside, todo);
      expect((await move('developer', 'finish', ...because)).code).toBe(0);
      expect((await move('developer', 'ask-review', '--evidence', 'README.md', ...because)).code).toBe(0);
      await must('monitor', 'verify', names.life);
      expect((await move('committer', 'commit', ...because)).code).toBe(0);
      expect((await move('committer', 'committed', '--commit', commit, ...because)).code).toBe(0);
      git('checkout', '-q', 'main');
      git('merge', '-q', '--no-ff', '-m', 'merge tell', 'tell');
    });

    test('J15, GOAL-24, GOAL-25: the goal waits for its verdict on the whole, and whoever built a part gives none', async () => {
      expect(await stateOf(names.goal)).toBe('pending_verify');
      const { counts, unmerged } = (await must('', 'goal', 'status', names.goal))
        .data as unknown as GoalStatus;
      expect([counts.CLEANUP, counts.completed, unmerged]).toEqual([1, 1, []]);
      const tried = ['goal', 'verify', names.goal, '--notes', 'read dates of three countries'];
      expect((await say('coder', ...tried)).code).not.toBe(0);
      await must('chief', ...tried);
      expect(await stateOf(names.goal)).toBe('verified');
    });

    test('J15, 2PC-94: an old-format completion of what is managed here is refused, and the item takes its way', async () => {
      const { items } = (await must('', 'list', '--list', 'old')).data as unknown as {
        items: { id: string; title: string }[];
      };
      const font = items.find(({ title }) => title === 'Choose a font')?.id ?? '';
      const refused = await imports([{ ...OLD[1], status: 'completed' }]);
      expect([refused.code, refused.error.code]).toEqual([3, 'gate-closed']);
      git('checkout', '-q', '-b', 'font', 'main');
      await must('orchestrator', 'release', font);
      await finished(
        font,
        crew.session.repo.commit({ 'font.txt': 'done\n', 'work.txt': 'done in a font\n' }),
      );
      git('checkout', '-q', 'main');
    });

    test('J15, PROTO-278: one audit looks at all of it, and every workflow ended', async () => {
      const { progress } = (await must('', 'list')).data as unknown as {
        progress: { byState: { [state: string]: number } };
      };
      expect(progress.byState).toEqual({ CLEANUP: 1, verified: 1, COMPLETED: 1, APPROVED: 1, completed: 6 });
      await must('', 'audit', 'checkpoint');
      const audit = await crew.session.text('', 'audit', 'verify');
      expect(audit.out).toContain('clean');
      expect(audit.code).toBe(0);
    });
  });
}

/** Everybody whom the five workflows need, beside the crew of the task in stages. */
async function staff({ session }: Crew): Promise<void> {
  session.at(new Date().toISOString());
  process.env.XDG_STATE_HOME = session.env.XDG_STATE_HOME;
  await session.with(async (opened) =>
    setRoles(opened.ports, { ...(await callerOf(opened, '')), token: undefined }, LEAD, [
      ...['coordinator', 'orchestrator'],
    ]),
  );
  const { planner: _, bystander: __, orchestrator, ...life } = LIFE_TEAM;
  const others = {
    ...life,
    builder: orchestrator,
    chief: ['lead', 'plan-manager'],
    orchestrator: ['workflow-orchestrator'],
    coder: ['specialist'],
    checker: ['verification-agent'],
  };
  for (const [id, roles] of Object.entries(others)) await session.register(id, roles);
}

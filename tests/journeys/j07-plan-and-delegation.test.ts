import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../staged/crew.ts';
import { told } from '../staged/hooked.ts';
import { answered, commits, DONE, PLANNED, reach, TASK } from '../staged/walk.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { gateOf, type Hands, handsOf, lacks, stateOf } from './staged-hands.ts';

// J07: one plan that a person approves by a word to their agent, seven guards, and agents that build while one coordinates.
let program: Program;
let w: Hands;
beforeAll(async () => {
  program = buildProgram();
  w = await handsOf(program);
  await reach(w, 'SYNTHESIS');
});
afterAll(async () => {
  await w.stop();
  program.remove();
});

const document = () => join(w.tasks, TASK, 'task.md');
const present = () => w.go('task', 'present-plan', TASK);
const implement = () => w.go('task', 'implement', TASK);
const own = (agent: string) => join(w.tasks, TASK, 'agents', agent, 'code');
const approvals = async () =>
  (await w.session.events('T-1')).filter((e) => e.type === 'recorded' && e.kind === 'plan-approval');

describe('J07: the plan and its person', () => {
  test('J07: a plan that lacks a part, or leaves a decision open, is shown to nobody', async () => {
    for (const part of [
      'File Manifest',
      'API Specifications',
      'Behaviour',
      'Test Specifications',
      'Phases',
    ]) {
      w.write(document(), PLANNED().replace(`### ${part}\n`, '### Another\n'));
      expect(lacks(await present()), part).toContain(`the plan lacks ${part}`);
    }
    w.write(document(), PLANNED().replace('parse(text): Date', 'parse(text): TBD'));
    expect(lacks(await present())).toContain('leaves a decision open');
    expect((await w.person('task', 'approve', TASK)).out).toContain(
      'nothing of parse-dates is before the user',
    );
  });

  test('J07: the wording says who implements, who calls them and where; "I will implement" is an error', async () => {
    const lint = (...more: readonly string[]) => w.text(w.code, 'lead', 's-1', 'task', 'lint', TASK, ...more);
    w.write(document(), PLANNED());
    expect((await lint()).code).toBe(0);
    for (const wrong of ['Main agent implements the parser.', 'I will implement the feature.']) {
      w.write(
        document(),
        PLANNED().replace(
          '1. architect agent implements it in its worktree; the coordinator invokes it.',
          `1. ${wrong}`,
        ),
      );
      expect((await lint()).code, wrong).not.toBe(0);
    }
    expect((await lint('--reply', 'Let me create the core classes.')).out).toContain('coordinate');
    w.write(document(), PLANNED());
  });

  test('J07: a word from before, a permission mode and praise approve nothing; feedback makes another plan', async () => {
    w.hooks.prompts('proceed', { cwd: w.code });
    expect((await present()).code).toBe(0);
    const as = { cwd: w.code, fields: { permission_mode: 'bypassPermissions' } };
    expect(w.hooks.stops('Here is the plan.', as).said?.systemMessage).toContain(
      'The plan of parse-dates is complete',
    );
    w.hooks.prompts('looks interesting', as);
    expect(lacks(await implement())).toContain('plan-approval');
    expect(await approvals()).toEqual([]);
    w.hooks.prompts('name the function read, not parse', { cwd: w.code });
    w.write(document(), PLANNED().replace('parse(text): Date', 'read(text): Date'));
    expect((await present()).code).toBe(0);
    // No agent says the word for them, in whatever face.
    for (const agent of ['lead', 'architect'])
      expect((await w.say(w.code, agent, 's-1', 'task', 'approve', TASK)).code).not.toBe(0);
    writeFileSync(join(w.tasks, TASK, 'user-plan-approval-obtained.flag'), '');
    expect(lacks(await implement())).toContain('plan-approval');
    w.hooks.stops('Here is the new plan.', { cwd: w.code });
    expect(told(w.hooks.prompts('Approved', { cwd: w.code }))).toContain('ada approved the plan');
    expect(await approvals()).toMatchObject([{ by: 'ada', outcome: 'approved' }]);
    expect(await stateOf(w)).toBe('SYNTHESIS');
  });
});

describe('J07: the seven guards', () => {
  const first = async () => {
    const words = ['task', 'gate', TASK, 'implement', '--stop-at-first'];
    const { code, out } = await w.text(w.code, 'lead', 's-1', ...words);
    return [code, /FAILED ([\w-]+)/.exec(out)?.[1] ?? ''];
  };

  test('J07: each is broken alone, and is found by hand as in the step', async () => {
    const text = readFileSync(document(), 'utf8');
    const report = join(w.tasks, TASK, `${TASK}-tester-requirements.md`);
    const was = readFileSync(report, 'utf8');
    expect(await first()).toEqual([1, 'delegation']);
    expect((await w.go('task', 'acknowledge-delegation', TASK)).code).toBe(0);
    expect(await first()).toEqual([0, '']);
    const broken = async (name: string, how: () => void, mend: () => void, alike = 0) => {
      how();
      const failing = await gateOf(w, 'implement');
      expect(failing, name).toContain(name);
      const refused = await implement();
      expect(refused.code, name).not.toBe(0);
      // What two points lack alike is told once.
      expect(refused.error.missing).toHaveLength(failing.length - alike);
      expect(await stateOf(w)).toBe('SYNTHESIS');
      mend();
    };
    const back = () => writeFileSync(document(), text);
    await broken('task-file', () => rmSync(document()), back);
    await broken('report-sections', () => writeFileSync(document(), text.replace('### tester\n', '')), back);
    await broken(
      'reports',
      () => rmSync(report),
      () => writeFileSync(report, was),
      1,
    );
    await broken('plan', () => writeFileSync(document(), text.replace('None taken.', 'Speed.')), back);
    expect(await first()).toEqual([0, '']);
  });

  test('J07: with all of them open it is built; afterwards the sixth says that it is not the time', async () => {
    expect((await implement()).data.status).toBe('IMPLEMENTATION');
    const { data } = await w.go('task', 'gate', TASK, 'implement');
    expect(JSON.stringify(data.points)).toContain('the state is IMPLEMENTATION, expected SYNTHESIS');
  });
});

describe('J07: who builds', () => {
  const edits = (path: string, as = {}) => w.hooks.uses('Edit', { file_path: path }, { cwd: w.code, ...as });
  const shell = (command: string) => w.hooks.uses('Bash', { command }, { cwd: w.code });

  test('J07: the coordinator’s edits are refused, by tool and by shell; those of an agent in its worktree are not', () => {
    for (const path of [
      'src/dates.js',
      'pom.xml',
      'src/main/java/module-info.java',
      'src/test/java/ATest.java',
    ]) {
      expect(edits(join(w.code, path)), path).toContain('writes no code');
      expect(shell(`echo x > ${path}`), path).toContain('writes no code');
      expect(edits(join(own('architect'), path)), path).not.toBe('');
      expect(edits(join(own('architect'), path), { session: 's-7', actor: 'architect' }), path).toBe('');
      expect(edits(join(own('quality'), path), { session: 's-7', actor: 'architect' }), path).not.toBe('');
    }
    expect(edits(join(w.code, 'todo.md'))).toBe('');
    expect(shell('mvn compile || sed -i s/a/b/ src/dates.js')).toContain('writes no code');
  });

  test('J07: a first round leaves work over, and is followed by a second; what is merged is what agents committed', async () => {
    await answered(w, 'architect');
    expect((await w.go('task', 'invoke', TASK, '--agent', 'tester')).code).toBe(0);
    await w.say(w.code, 'tester', '', 'task', 'status', TASK, 'WORKING');
    expect(await gateOf(w, 'validate')).toContain('implementation');
    expect((await w.go('task', 'next-round', TASK, '--reason', 'tester has work left')).code).toBe(0);
    for (const agent of AGENTS) {
      const files =
        agent === 'architect' ? { 'work.txt': 'done\n', 'todo.md': DONE } : { [`${agent}.js`]: '1;\n' };
      commits(w, agent, files);
      await answered(w, agent);
    }
    expect(await gateOf(w, 'validate')).toEqual(expect.arrayContaining(['branches-merged']));
    for (const agent of AGENTS) expect((await w.go('task', 'merge', TASK, agent)).code).toBe(0);
    for (const agent of AGENTS)
      expect(w.git(w.code, 'branch', '--contains', `task-${TASK}-agent-${agent}`)).toContain(TASK);
    // Past the hooks, it is found at the gate.
    w.write(join(w.code, 'fix.js'), 'by hand\n');
    w.git(w.code, 'add', '-A');
    w.git(w.code, 'commit', '-q', '-m', 'a quick fix');
    expect(await gateOf(w, 'validate')).toEqual(['authors']);
    w.git(w.code, 'reset', '-q', '--hard', 'HEAD^');
    expect((await w.go('task', 'validate', TASK)).data.status).toBe('VALIDATION');
    expect((await w.text(w.session.repo.top, '', '', 'audit', 'verify')).out).toContain('clean');
  });
});

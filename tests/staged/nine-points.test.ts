// One file: nine points, each with its failure, its fix and its triggers.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chainProblem } from '../../src/engine/staged/chain.ts';
import { type GateRun, notesOfTask } from '../../src/engine/staged/looks.ts';
import { taskItem } from '../../src/engine/staged/task-item.ts';
import { buildProgram } from '../cli/program.ts';
import { type Crew, openCrew, REPORT } from './crew.ts';
import { calls, reportsOf } from './seven.ts';
import { crewAt, PLANNED, reach, TASK } from './walk.ts';

const THREE = ['architect', 'quality', 'tester'];

let crew: Crew;
beforeEach(async () => {
  crew = await crewAt('REQUIREMENTS');
  await calls(crew, THREE);
  await reportsOf(crew, THREE);
});
afterEach(() => {
  delete crew.session.env.CURRENT_SESSION_ID;
  crew.close();
});

const folder = () => join(crew.tasks, TASK);
const report = (agent: string) => join(folder(), `${TASK}-${agent}-requirements.md`);
const says = (agent: string, ...words: readonly string[]) =>
  crew.say(crew.code, agent, '', 'task', 'status', TASK, ...words);

/** The check by its name of its own, from a folder, under a session. */
const check = (from = crew.code, id = 's-1', ...words: readonly string[]) =>
  crew.session.from(from).text('lead', 'gate', TASK, 'synthesize', '--session', id, ...words);
const failures = (out: string) => out.split('\n').filter((line) => line.includes('FAILED'));
const runs = async () =>
  (await crew.session.with(({ ports }) => notesOfTask(ports, TASK))).filter(
    (note): note is GateRun => note.type === 'gate-judged',
  );

describe('the check', () => {
  test('PROTO-217: nine points in their order, under the session of CURRENT_SESSION_ID; at the first that fails it ends', async () => {
    crew.session.env.CURRENT_SESSION_ID = 's-1';
    const run = (...more: readonly string[]) =>
      crew.session.from(crew.code).text('lead', 'gate', TASK, ...more);
    const good = await run('--stop-at-first');
    const lines = good.out.trim().split('\n');
    expect(good.code).toBe(0);
    expect(lines).toHaveLength(10);
    lines.slice(0, 9).forEach((line, n) => {
      expect(line).toMatch(new RegExp(`^\\[${n + 1}/9\\] PASSED `));
    });
    expect(lines[9]).toBe('ALL 9 CHECKS PASSED');
    rmSync(join(folder(), 'task.md'));
    const broken = await run('--stop-at-first');
    expect(broken.code).toBe(1);
    expect(broken.out).toContain('[4/9] FAILED');
    expect(broken.out).not.toContain('[5/9]');
    expect(broken.out.match(/PASSED/g)).toHaveLength(3);
  });

  test('PROTO-218: in another state the first point fails, with both', async () => {
    await crew.go('task', 'synthesize', TASK);
    const { code, out } = await check();
    expect(code).toBe(1);
    expect(failures(out)).toEqual([expect.stringMatching(/^\[1\/9\].*SYNTHESIS, expected REQUIREMENTS/)]);
  });

  test('PROTO-219, PROTO-220: for another session, and from another folder, the point tells whose and where', async () => {
    expect(failures((await check(crew.code, 's-2')).out)).toEqual([
      expect.stringMatching(/^\[2\/9\].*s-1 .*not by s-2/),
    ]);
    const sub = join(crew.code, 'sub');
    mkdirSync(sub);
    const { code, out } = await check(sub);
    expect(code).toBe(1);
    expect(failures(out)).toEqual([expect.stringContaining(`from ${sub}, not from ${crew.code}`)]);
    expect(out).toContain('[3/9] FAILED');
  });

  test.each(['Task Objective', 'Scope Definition', 'Stakeholder Agent Reports'])(
    'PROTO-221: task.md without the heading %s fails, which is named',
    async (title) => {
      const path = join(folder(), 'task.md');
      // The same words as a heading of another level, or inside of a sentence, do not stand for it.
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(`## ${title}\n`, `### ${title}\n\nThe ${title}.\n`),
      );
      const { code, out } = await check();
      expect(code).toBe(1);
      expect(failures(out)).toEqual([expect.stringMatching(new RegExp(`^\\[4/9\\].*headings ${title}$`))]);
    },
  );

  test('PROTO-222: an agent without its worktree is told with the path; with no agent at all it fails', async () => {
    const tree = join(folder(), 'agents', 'tester', 'code');
    crew.git(crew.code, 'worktree', 'remove', '-f', '-f', tree);
    expect(failures((await check()).out)).toEqual([
      expect.stringMatching(/^\[5\/9\].*tester has no worktree/),
    ]);
    expect((await check()).out).toContain(tree);
    const empty = await openCrew();
    try {
      await reach(empty, 'CLASSIFIED');
      const { out } = await empty.text(empty.code, 'lead', 's-1', 'task', 'gate', TASK, 'synthesize');
      expect(out).toMatch(/\[5\/9\] FAILED .*no agent is named/);
    } finally {
      empty.close();
    }
  });

  test('PROTO-223: all that are not COMPLETE are listed', async () => {
    await says('quality', 'WORKING');
    await says('tester', 'WORKING');
    expect(failures((await check()).out)).toEqual([
      '[6/9] FAILED requirements: 1/3 complete: quality: status=WORKING, expected COMPLETE; tester: status=WORKING, expected COMPLETE',
    ]);
  });

  test('PROTO-224: a report of 99 bytes fails, one of 100 passes; all that are bad are listed with their size', async () => {
    writeFileSync(report('tester'), 'x'.repeat(99));
    writeFileSync(report('quality'), '');
    rmSync(report('architect'));
    const told = failures((await check()).out).join('');
    expect(told).toMatch(/^\[7\/9\]/);
    expect(told).toContain('tester: requirements report has 99 bytes');
    expect(told).toContain('quality: requirements report is empty');
    expect(told).toContain('architect: requirements report missing');
    for (const agent of ['quality', 'architect']) crew.write(report(agent), REPORT(agent));
    expect((await check()).code).toBe(1);
    writeFileSync(report('tester'), 'x'.repeat(100));
    expect((await check()).code).toBe(0);
  });

  test('PROTO-225: a log without one of the two first moves fails, which is named', async () => {
    const handle = await crew.session.with(({ ports }) => taskItem(ports, TASK));
    const without = (from: string, to: string) => {
      const steps = handle.item.steps.filter((step) => step.from !== from || step.to !== to);
      return chainProblem({ ...handle, item: { ...handle.item, steps } });
    };
    expect(chainProblem(handle)).toBe('');
    expect(without('INIT', 'CLASSIFIED')).toBe('the log lacks INIT to CLASSIFIED');
    expect(without('CLASSIFIED', 'REQUIREMENTS')).toBe('the log lacks CLASSIFIED to REQUIREMENTS');
    const swapped = [...handle.item.steps].reverse();
    expect(chainProblem({ ...handle, item: { ...handle.item, steps: swapped } })).toContain(
      'does not follow INIT',
    );
  });

  test('PROTO-226: an agent in ERROR is told with its message', async () => {
    await says('tester', 'ERROR', '--reason', 'no disk left');
    const told = failures((await check()).out);
    expect(told.at(-1)).toMatch(/^\[9\/9\] FAILED .*tester: .*no disk left/);
  });
});

describe('the check and the move', () => {
  test('PROTO-227, PROTO-228: by hand and inside the move it says the same; a move that it refuses changes nothing', async () => {
    await says('tester', 'WORKING');
    rmSync(report('quality'));
    const before = {
      lock: readFileSync(join(folder(), 'task.json'), 'utf8'),
      events: await crew.session.events('T-1'),
    };
    const byHand = await crew.go('task', 'gate', TASK);
    const alias = await crew.session.from(crew.code).say('lead', 'gate', TASK, '--session', 's-1');
    expect(alias.data).toEqual(byHand.data);
    const moved = await crew.go('task', 'synthesize', TASK);
    expect(moved.code).toBe(3);
    const failed = (byHand.data.points as unknown as { name: string; passed: boolean }[]).filter(
      ({ passed }) => !passed,
    );
    const shut = moved.error.missing.map(({ because }) => because);
    expect(failed.map(({ name }) => name)).toEqual(['requirements', 'reports']);
    expect(shut).toHaveLength(2);
    expect(shut[1]).toContain('quality: requirements report missing');
    expect(readFileSync(join(folder(), 'task.json'), 'utf8')).toBe(before.lock);
    expect(await crew.session.events('T-1')).toEqual(before.events);
    expect((await crew.go('task', 'show', TASK)).data.state).toBe('REQUIREMENTS');
    await says('tester', 'COMPLETE');
    crew.write(report('quality'), REPORT('quality'));
    expect((await check()).code).toBe(0);
    expect(await crew.go('task', 'synthesize', TASK)).toMatchObject({ code: 0 });
    const { state, transition_log } = JSON.parse(readFileSync(join(folder(), 'task.json'), 'utf8'));
    expect(state).toBe('SYNTHESIS');
    expect(transition_log.at(-1)).toMatchObject({ from: 'REQUIREMENTS', to: 'SYNTHESIS' });
  });

  test('PROTO-228: the script of the hooks folder runs the same check as a program of its own', () => {
    const program = buildProgram();
    const script = fileURLToPath(
      new URL('../../plugins/claude-code/hooks/verify-requirements-exit.sh', import.meta.url),
    );
    const bin = join(folder(), 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'countersign'),
      `#!/bin/sh\nexec "${process.execPath}" "${program.path}" --actor lead "$@"\n`,
    );
    chmodSync(join(bin, 'countersign'), 0o755);
    const env = { ...crew.session.env, PATH: `${bin}:${process.env.PATH}`, CURRENT_SESSION_ID: 's-1' };
    const run = () => spawnSync('sh', [script, TASK], { cwd: crew.code, env, encoding: 'utf8' });
    try {
      const good = run();
      expect(good.stdout).toContain('ALL 9 CHECKS PASSED');
      expect(good.status).toBe(0);
      rmSync(report('tester'));
      const bad = run();
      expect(bad.status).toBe(1);
      expect(bad.stdout).toContain('[7/9] FAILED');
      expect(bad.stdout).not.toContain('[8/9]');
    } finally {
      program.remove();
    }
  });

  test('PROTO-229: each run is on record with its trigger: by hand, of the hook, of the move, of a session that goes on, of an audit', async () => {
    await check();
    await check(crew.code, 's-1', '--trigger', 'hook');
    expect((await check(crew.code, 's-1', '--trigger', 'transition')).code).toBe(2);
    await says('tester', 'WORKING');
    await crew.go('task', 'synthesize', TASK);
    await crew.go('task', 'start', TASK);
    await crew.go('task', 'audit', TASK);
    expect((await runs()).map(({ trigger, passed, command }) => [trigger, passed, command])).toEqual([
      ['by-hand', true, 'synthesize'],
      ['hook', true, 'synthesize'],
      ['transition', false, 'synthesize'],
      ['resume', false, 'synthesize'],
      ['audit', false, 'synthesize'],
    ]);
    expect((await crew.session.text('', 'audit', 'verify')).code).toBe(0);
  });

  test('PROTO-230, PROTO-231: each point that fails names the kind of mending, and a new run is asked for', async () => {
    const kinds = async (...how: Parameters<typeof check>) => {
      const { out } = await check(...how);
      expect(out.trim().split('\n').at(-1)).toBe('do not go on: mend what failed, and run the gate again');
      const lines = out.split('\n');
      return lines.flatMap((line, n) => {
        const point = /^\[(\d)\/9\] FAILED/.exec(line)?.[1];
        return point === undefined ? [] : [`${point}: ${/\(([^()]*)\)$/.exec(lines[n + 1] ?? '')?.[1]}`];
      });
    };
    expect(await kinds(crew.code, 's-2')).toEqual(['2: infrastructure']);
    expect(await kinds(crew.session.repo.top)).toEqual(['3: infrastructure']);
    const document = readFileSync(join(folder(), 'task.md'), 'utf8');
    writeFileSync(join(folder(), 'task.md'), '');
    expect(await kinds()).toEqual(['4: task.md structure']);
    writeFileSync(join(folder(), 'task.md'), document);
    const tree = join(folder(), 'agents', 'tester', 'code');
    crew.git(crew.code, 'worktree', 'remove', '-f', '-f', tree);
    expect(await kinds()).toEqual(['5: back to CLASSIFIED']);
    await crew.go('task', 'worktrees', TASK);
    await says('tester', 'WORKING');
    expect(await kinds()).toEqual(['6: partial completion recovery']);
    await says('tester', 'COMPLETE');
    rmSync(report('tester'));
    expect(await kinds()).toEqual(['7: partial completion recovery']);
    await says('tester', 'ERROR', '--reason', 'x');
    expect((await kinds()).at(-1)).toBe('9: re-invoke the failed agents');
    await crew.reports('tester');
    await crew.go('task', 'synthesize', TASK);
    crew.write(join(folder(), 'task.md'), PLANNED());
    expect(await kinds()).toEqual(['1: infrastructure']);
  });

  test('PROTO-231: a log that is not whole is a protocol error, and goes to a person', async () => {
    const fresh = await openCrew();
    try {
      await reach(fresh, 'CLASSIFIED');
      const { out } = await fresh.text(fresh.code, 'lead', 's-1', 'task', 'gate', TASK, 'synthesize');
      expect(out).toMatch(/\[8\/9\] FAILED .*CLASSIFIED to REQUIREMENTS\n.*\(protocol error: escalate\)/);
    } finally {
      fresh.close();
    }
  });
});

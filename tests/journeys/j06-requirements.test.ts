// J06: seven agents say what they need, with all that comes between. One way, in its order, by processes and servers.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Recovery } from '../../src/engine/staged/recovery.ts';
import type { Spoken } from '../mcp/stdio.ts';
import { REPORT } from '../staged/crew.ts';
import { gatherWith, reportsOf, SEVEN } from '../staged/seven.ts';
import { PLANNED, TASK } from '../staged/walk.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { gateOf, type Hands, handsOf, lacks, stateOf } from './staged-hands.ts';

const THREE = SEVEN.slice(0, 3);
const FOUR = SEVEN.slice(3);

let program: Program;
let w: Hands;
const servers = new Map<string, Spoken>();
beforeAll(async () => {
  program = buildProgram();
  w = await handsOf(program);
  await gatherWith(w);
  for (const agent of SEVEN) servers.set(agent, await w.mcp(agent));
});
afterAll(async () => {
  await w.stop();
  program.remove();
});

const folder = () => join(w.tasks, TASK);
const report = (agent: string) => join(folder(), `${TASK}-${agent}-requirements.md`);
const document = () => join(folder(), 'task.md');
const lock = () => readFileSync(join(folder(), 'task.json'), 'utf8');
const resume = async () => (await w.go('task', 'show', TASK)).data.resume as unknown as Resume;
interface Resume {
  readonly decision: string;
  readonly agents: readonly string[];
}

/** What an agent says through its own server. */
async function says(agent: string, status: string, more: Record<string, unknown> = {}) {
  const answer = await (servers.get(agent) as Spoken).call('task_status', { task_id: TASK, status, ...more });
  expect([agent, answer.isError ? answer.text : '']).toEqual([agent, '']);
}
async function writes(agent: string) {
  w.write(report(agent), REPORT(agent));
  await says(agent, 'COMPLETE');
}

/** What is to be done about an agent, as seen so many minutes from now. */
async function directive(agent: string, minutes = 0) {
  w.inside.session.at(new Date(Date.now() + minutes * 60_000).toISOString());
  const { recovery } = (await w.inside.go('task', 'show', TASK)).data as unknown as { recovery: Recovery };
  return recovery.directives.find((one) => one.agent === agent);
}

describe('J06: what comes between the calls', () => {
  test('J06: 0 of 7: a question comes first, nobody is called meanwhile, then all are', async () => {
    const before = lock();
    expect(await w.go('task', 'interrupt', TASK, '--kind', 'question')).toMatchObject({ code: 0 });
    const early = await w.go('task', 'invoke', TASK, '--agent', 'architect');
    expect(lacks(early)).toContain(`task recover ${TASK}`);
    const told = await w.text(w.code, 'lead', 's-1', 'task', 'recover', TASK);
    expect(told.out).toContain(`INVOKE_ALL_AGENTS: ${SEVEN.join(', ')}`);
    expect(lock()).toBe(before);
    // All at once, each call by a process of its own.
    const called = await Promise.all(SEVEN.map((agent) => w.go('task', 'invoke', TASK, '--agent', agent)));
    expect(called.map(({ code }) => code)).toEqual(SEVEN.map(() => 0));
  });

  test('J06: 3 of 7: an audit in the middle changes nothing, and exactly the other four are left', async () => {
    for (const agent of THREE) await writes(agent);
    const before = { lock: lock(), item: await w.session.snapshot('T-1') };
    const audit = await w.text(w.code, 'lead', 's-1', 'task', 'audit', TASK);
    expect(audit.code).toBe(0);
    expect(audit.out.trim().split('\n').at(-1)).toBe(`INVOKE_INCOMPLETE ${FOUR.join(' ')}`);
    expect({ lock: lock(), item: await w.session.snapshot('T-1') }).toEqual(before);
    expect(await resume()).toEqual({ decision: 'INVOKE_INCOMPLETE', agents: FOUR });
    expect(lacks(await w.go('task', 'synthesize', TASK))).toContain('3 of 7 say COMPLETE');
    for (const agent of THREE)
      expect(lacks(await w.go('task', 'invoke', TASK, '--agent', agent))).toContain(
        'is done with its requirements',
      );
    expect((await w.go('task', 'validate', TASK)).code).not.toBe(0);
    expect(await stateOf(w)).toBe('REQUIREMENTS');
  });
});

describe('J06: agents that do not come to an end', () => {
  test('J06: each of three kinds of errors has its own way on', async () => {
    await says('security', 'ERROR', { reason: 'the file is too large' });
    await says('style', 'ERROR', { reason: 'which style?', error_type: 'blocker' });
    await says('tester', 'ERROR', { reason: 'x is undefined', error_type: 'implementation-error' });
    expect(await directive('security')).toMatchObject({ action: 'invoke', scope: 'reduced' });
    expect(await directive('style')).toMatchObject({ action: 'reclassify' });
    expect(await directive('tester')).toMatchObject({ action: 'invoke', scope: 'same' });
    const told = await w.text(w.code, 'lead', 's-1', 'task', 'recover', TASK);
    expect(told.out).toContain(
      'security: invoke with reduced scope (tool-limitation: the file is too large)',
    );
    expect(told.out).toContain('style: reclassify (blocked: which style?: clarify it)');
  });

  test('J06: one that is silent is waited for: 5 minutes to a word, 30 without another, 60 in all', async () => {
    expect(await directive('usability', 4)).toMatchObject({ action: 'wait' });
    expect(await directive('usability', 5.2)).toMatchObject({
      action: 'invoke',
      because: expect.stringContaining('5 minutes'),
    });
    await says('usability', 'WORKING');
    expect(await directive('usability', 29)).toMatchObject({ action: 'wait' });
    expect(await directive('usability', 31)).toMatchObject({
      action: 'invoke',
      because: expect.stringContaining('30 minutes'),
    });
    expect(await directive('usability', 61)).toMatchObject({
      because: expect.stringContaining('60 minutes'),
    });
    await writes('usability');
  });

  test('J06: two retries, then the user; never before', async () => {
    const escalate = (agent: string) => w.go('task', 'escalate', TASK, '--agent', agent);
    for (const message of ['still too large', 'and still']) {
      expect(lacks(await escalate('security'))).toContain(`task recover ${TASK}`);
      expect(await w.go('task', 'invoke', TASK, '--agent', 'security')).toMatchObject({ code: 0 });
      await says('security', 'ERROR', { reason: message });
    }
    expect(lacks(await w.go('task', 'invoke', TASK, '--agent', 'security'))).toContain('retries are used up');
    const { data } = await escalate('security');
    expect(data.history).toHaveLength(3);
    expect((await escalate('tester')).code).not.toBe(0);
  });

  test('J06: what blocks is clarified in CLASSIFIED; reports stay, and everybody is asked anew', async () => {
    expect((await w.go('task', 'reclassify', TASK)).code).not.toBe(0);
    const back = await w.go('task', 'reclassify', TASK, '--reason', 'the style is that of the project');
    expect(back.data.status).toBe('CLASSIFIED');
    for (const agent of [...THREE, 'usability']) expect(existsSync(report(agent)), agent).toBe(true);
    for (const words of [
      ['assess', TASK, '--risk', 'MEDIUM', '--agents', SEVEN.join(','), '--reason', 'src/dates.js'],
      ['gather', TASK],
    ])
      expect(await w.go('task', ...words)).toMatchObject({ code: 0 });
    expect((await resume()).decision).toBe('INVOKE_ALL_AGENTS');
    for (const agent of SEVEN)
      expect(await w.go('task', 'invoke', TASK, '--agent', agent)).toMatchObject({ code: 0 });
    w.write(report('security'), '');
    const empty = await (servers.get('security') as Spoken).call('task_status', {
      ...{ task_id: TASK, status: 'COMPLETE' },
    });
    expect([empty.isError, empty.text]).toEqual([true, expect.stringContaining('is empty')]);
    await reportsOf(w, SEVEN);
    expect(await resume()).toEqual({ decision: 'TRANSITION_TO_SYNTHESIS', agents: [] });
  });
});

describe('J06: the nine points, and the synthesis', () => {
  const check = (from = w.code, id = 's-1') =>
    w.text(from, 'lead', id, 'gate', TASK, 'synthesize', '--stop-at-first');

  /** Breaks one point, looks at what the check and the step say of it, and mends it again. */
  async function broken(point: number, says: string, how: () => unknown, mend: () => unknown) {
    await how();
    const { code, out } = await check();
    expect([point, code, out]).toEqual([point, 1, expect.stringContaining(`[${point}/9] FAILED`)]);
    expect(out).toContain(says);
    expect(out.match(/PASSED/g) ?? []).toHaveLength(point - 1);
    expect((await w.go('task', 'synthesize', TASK)).code).not.toBe(0);
    expect(await stateOf(w)).toBe('REQUIREMENTS');
    await mend();
  }

  test('J06: each point is broken alone, the check ends there, and the step is refused', async () => {
    expect((await check()).out.trim().split('\n').at(-1)).toBe('ALL 9 CHECKS PASSED');
    expect((await check(w.code, 's-2')).out).toContain('[2/9] FAILED');
    expect((await check(w.session.repo.top)).out).toContain('[3/9] FAILED');
    const text = readFileSync(document(), 'utf8');
    await broken(
      4,
      'Scope Definition',
      () => writeFileSync(document(), text.replace('## Scope Definition', '## Scope')),
      () => writeFileSync(document(), text),
    );
    const tree = join(folder(), 'agents/tester/code');
    await broken(
      5,
      tree,
      () => w.git(w.session.repo.top, 'worktree', 'remove', '-f', '-f', tree),
      () => w.go('task', 'worktrees', TASK),
    );
    await broken(
      6,
      'tester: status=WORKING',
      () => says('tester', 'WORKING'),
      () => writes('tester'),
    );
    await broken(
      7,
      '99 bytes',
      () => writeFileSync(report('tester'), 'x'.repeat(99)),
      () => writes('tester'),
    );
    await broken(
      7,
      'is empty',
      () => writeFileSync(report('tester'), ''),
      () => writes('tester'),
    );
    await broken(
      7,
      'report missing',
      () => rmSync(report('tester')),
      () => writes('tester'),
    );
    // An agent in ERROR is not complete either; with all points told, its message stands under the ninth.
    await says('tester', 'ERROR', { reason: 'no disk left' });
    const { out } = await w.text(w.code, 'lead', 's-1', 'gate', TASK, 'synthesize');
    expect(out).toMatch(/\[9\/9\] FAILED .*no disk left/);
    await w.go('task', 'invoke', TASK, '--agent', 'tester');
    await writes('tester');
    expect((await check()).code).toBe(0);
    expect((await w.go('task', 'synthesize', TASK)).data.status).toBe('SYNTHESIS');
    expect((await check()).out).toContain('[1/9] FAILED');
  });

  test('J06: a synthesis that lacks a part, or leaves a requirement without its place, is not shown to anybody', async () => {
    const present = () => w.go('task', 'present-plan', TASK);
    const whole = PLANNED(SEVEN);
    for (const part of [
      'Conflict Resolution',
      'Architecture',
      'Requirement Map',
      'Trade-offs',
      'Success Criteria',
    ]) {
      w.write(document(), whole.replace(`## ${part}\n`, '## Another\n'));
      expect(lacks(await present()), part).toContain(`task.md lacks ${part}`);
    }
    w.write(document(), whole.replace('- REQ-SECURITY-1: src/dates.js\n', ''));
    expect(lacks(await present())).toContain('no place of the plan answers REQ-SECURITY-1');
    w.write(document(), whole.replace('None found.', '- architect against style: style'));
    expect(lacks(await present())).toContain('style was followed against architect');
    w.write(document(), whole);
    expect(await gateOf(w, 'present-plan')).toEqual([]);
    expect(await present()).toMatchObject({ code: 0 });
    expect(await stateOf(w)).toBe('SYNTHESIS');
    expect((await w.text(w.session.repo.top, '', '', 'audit', 'verify')).out).toContain('clean');
  });
});

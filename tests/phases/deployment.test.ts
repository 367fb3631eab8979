import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_PROMPT } from '../../src/engine/phases/open-run.ts';
import { ANSWER } from './answers.ts';
import { runsFolder } from './beside.ts';
import { type Hand, handOf } from './hand.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

const AGENTS = `  ghost: {adapter: command, command: [/no/such/program]}
  crash: {adapter: command, command: [/bin/sh, -c, 'echo it broke >&2; exit 3']}
  late: {adapter: command, command: [/bin/true], minutes: -1}
  endless: {adapter: command, command: [/bin/true], megabytes: .inf}
  halves: {adapter: command, command: [/bin/true], turns: 1.5}
  costly: {adapter: command, command: [/bin/true], cost: .nan}
  numbers: {adapter: command, command: [/bin/true, 7]}
`;

let stage: Stage;
let hand: Hand;
let phase = '';
beforeAll(async () => {
  stage = await openStage({ config: CONFIG('', AGENTS) });
  hand = await handOf(stage);
  [phase = ''] = await stage.plan('Design Phase');
});
afterAll(async () => {
  await hand.close();
  await stage.close();
});

const deploy = (agent: string) =>
  stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it', '--agent', agent);

describe('an agent that cannot work', () => {
  it('PHASE-14: whose program is not there is told by exit code 8, and as no success', async () => {
    const { code, data } = await deploy('ghost');
    expect([code, data.success, data.status]).toEqual([8, false, 'failed']);
    const input = { phase_id: phase, prompt: 'Build it', agent: 'ghost' };
    const answer = await hand.call('deploy_headless_agent', input);
    expect(answer.isError).toBe(true);
    expect(answer.data).toMatchObject({ ok: false, success: false, error_code: 'AGENT_NOT_STARTED' });
    expect(ANSWER.safeParse(answer.data).success).toBe(true);
  });

  it.each([
    ['late', 'minutes must be from 0'],
    ['endless', 'megabytes must be from 0'],
    ['halves', 'turns must be a whole number'],
    ['costly', 'cost must be from 0'],
    ['numbers', 'command must be a list of texts'],
  ])('PHASE-14: with the limits of %s is not deployed', async (agent, words) => {
    const { code, error } = await deploy(agent);
    expect([code, error.code]).toEqual([2, 'BAD_CONFIG']);
    expect(error.message).toContain(`${agent}.${words}`);
  });

  it('PHASE-14: that stands in the file and is not committed is told as that', async () => {
    const path = join(stage.s.repo.top, '.countersign/config.yaml');
    writeFileSync(path, CONFIG('', '  newcomer: {adapter: command, command: [/bin/true]}\n'));
    const { code, error } = await deploy('newcomer');
    stage.s.repo.git('checkout', '-q', '--', '.countersign/config.yaml');
    expect([code, error.code]).toEqual([2, 'BAD_CONFIG']);
    expect(error.message).toContain('the agent newcomer stands in the file and is not committed');
    expect((await deploy('newcomer')).error.message).toContain('there is no agent newcomer');
  });

  it('PHASE-14: that is committed here and not pushed to where the default branch is, is told as that', async () => {
    const { repo } = stage.s;
    const before = repo.git('show', 'HEAD:.countersign/config.yaml');
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    repo.commit({
      '.countersign/config.yaml': CONFIG('', '  newcomer: {adapter: command, command: [/bin/true]}\n'),
    });
    const { error } = await deploy('newcomer');
    repo.git('symbolic-ref', '-d', 'refs/remotes/origin/HEAD');
    repo.git('update-ref', '-d', 'refs/remotes/origin/main');
    repo.commit({ '.countersign/config.yaml': before });
    expect(error.message).toContain('is not committed on origin/main');
    expect(JSON.stringify(error)).toContain('and push it');
  });
});

describe('what an agent writes, and what it is told', () => {
  it('PHASE-15: its standard error is shown where it is asked for, and pointed to where it wrote nothing else', async () => {
    const agent = String((await deploy('crash')).data.agent_id);
    await expect
      .poll(async () => (await stage.s.text(LEAD, 'agent', 'output', agent, '--stderr')).out)
      .toBe('it broke\n');
    const { out, err } = await stage.s.text(LEAD, 'agent', 'output', agent);
    expect([out.trim(), err.trim()]).toEqual([
      ...['', `it wrote to standard error: countersign agent output ${agent} --stderr`],
    ]);
    const { data } = await hand.call('get_agent_output', { agent_id: agent, stream: 'err' });
    expect(data.output).toMatchObject({ text: 'it broke\n' });
  });

  it('is followed until it ends, also where it never began, or its watcher is gone', async () => {
    const watched = async (agent: string) => {
      const { out, err } = await stage.s.text(LEAD, 'agent', 'watch', agent);
      return `${out}${err}`;
    };
    expect(await watched(String((await deploy('crash')).data.agent_id))).toMatch(/agent-\d+ ended: exited/);
    expect(await watched(String((await deploy('ghost')).data.agent_id))).toContain('not started');
    const last = Number((await deploy('builder')).data.agent_id?.toString().split('-')[1]);
    writeFileSync(join(stage.trees, `agent-${last + 1}`), 'in the way');
    const { data } = await deploy('builder');
    expect(data.status).toBe('failed');
    expect(await watched(String(data.agent_id))).toContain('not started');
    const watcher = JSON.parse(readFileSync(join(runsFolder(stage), `agent-${last}`, 'watch.json'), 'utf8'))
      .watcher.pid;
    process.kill(watcher, 'SIGKILL');
    expect(await watched(`agent-${last}`)).toContain('ended: lost');
  });

  it('PHASE-14: an order is as long by a tool as on the command line', async () => {
    const long = (length: number) => ({ phase_id: phase, prompt: 'x'.repeat(length), agent: 'crash' });
    expect((await hand.call('deploy_headless_agent', long(MOST_PROMPT))).isError).toBe(false);
    expect((await hand.call('deploy_headless_agent', long(MOST_PROMPT + 1))).data.code).toBe('BAD_INPUT');
    const path = join(stage.s.repo.root, 'order.txt');
    writeFileSync(path, 'x'.repeat(MOST_PROMPT + 1));
    const said = await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt-file', path, '--agent', 'crash');
    expect([said.code, said.error.code]).toEqual([2, 'BAD_INPUT']);
  });

  it('a task of one phase is told as that', async () => {
    const { out } = await stage.s.text(LEAD, 'phase', 'plan', 'One', '--phase', 'Alone');
    expect(out).toContain(': 1 phase, ');
  });
});

describe('input that no tool can read', () => {
  it.each([
    ['get_phase_status', {}, ''],
    ['get_phase_status', { phase_id: '../x' }, ''],
    ['deploy_headless_agent', { phase_id: 'PHASE', prompt: '' }, 'ACTIVE'],
    ['submit_phase_for_review', { phase_id: 'PHASE', extra: 1 }, 'ACTIVE'],
    ['get_review_status', { review_id: 7 }, ''],
    ['get_agent_output', { agent_id: 'agent-1', offset: -1 }, ''],
  ])('PHASE-105: %s of %j is answered with guidance', async (tool, input, status) => {
    const given = 'phase_id' in input && input.phase_id === 'PHASE' ? { ...input, phase_id: phase } : input;
    const { isError, data } = await hand.call(tool, given);
    expect([isError, data.success, data.error_code]).toEqual([true, false, 'BAD_INPUT']);
    expect(data.guidance).toMatchObject({ status, escalated: false });
    expect(data).toHaveProperty('review');
  });

  it('PHASE-105: somebody whose credential was revoked is answered with guidance, and told nothing of any phase', async () => {
    const token = await stage.s.register('leaver', ['orchestrator']);
    const leaver = await handOf(stage, 'leaver');
    expect((await leaver.call('get_phase_status', { phase_id: phase })).isError).toBe(false);
    await stage.must('', 'token', 'revoke', token);
    for (const input of [{ phase_id: phase }, { phase_id: phase, extra: 1 }]) {
      const { isError, data, text } = await leaver.call('get_phase_status', input);
      expect([isError, data.success, data.error_code]).toEqual([true, false, 'NO_CREDENTIAL']);
      expect(data.guidance).toMatchObject({ status: '', escalated: false });
      expect(text).not.toContain('Design Phase');
    }
    await leaver.close();
  });
});

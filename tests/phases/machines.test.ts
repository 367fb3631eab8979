import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EngineError } from '../../src/engine/engine-error.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { runIn } from '../fixtures/scratch-repo.ts';
import { processesIn, runsFolder } from './beside.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

// Several machines with one store and one state folder, as docs/served.md has them.
let away = false;
/** Another one that has the store and not its folder. */
let alone = false;
const wrap = (ports: Ports): Ports => ({
  ...ports,
  evidence: {
    ...ports.evidence,
    assertShared() {
      if (alone) throw new EngineError('BAD_CONFIG', 'this is not the folder of the store', 'bring it there');
    },
  },
  agents: {
    ...ports.agents,
    get place() {
      return `${ports.agents.place}${away ? ' of another machine' : ''}`;
    },
  },
});

const PUPPET = CONFIG().match(/reviewer: \{(.*)\}/)?.[1] ?? '';
const NEAR = `  near: {${PUPPET}, runs_on: [near]}\n`;

let stage: Stage;
beforeAll(async () => {
  const config = CONFIG('reviewer_agents: [near]', NEAR).replace('reviewers: 3', 'reviewers: 1');
  stage = await openStage({ wrap, config });
});
afterAll(async () => {
  away = false;
  await stage.close();
});

const rewrite = (path: string, more: object) =>
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...more }));

it('PHASE-95: whoever comes by on another machine ends nothing that runs on this one', async () => {
  const [phase = ''] = await stage.plan('A');
  const agent = await stage.deploy(phase);
  const run = join(runsFolder(stage), agent);
  const files = ['run.json', 'watch.json'].map((name) => join(run, name));
  const before = files.map((path) => readFileSync(path, 'utf8'));
  // Its processes are in no table of the machine that looks now.
  away = true;
  rewrite(join(run, 'run.json'), { host: 'another', boot: 'another' });
  rewrite(join(run, 'watch.json'), { boot: 'another' });
  for (const words of [['tick'], ['phase', 'status', phase], ['work', '--once']])
    await stage.must(LEAD, ...words);
  const { data } = await stage.must(LEAD, 'agent', 'list');
  expect(data).toContainEqual(expect.objectContaining({ agent_id: agent, process: 'running' }));
  away = false;
  files.forEach((path, n) => {
    writeFileSync(path, before[n] ?? '');
  });
  expect(processesIn(stage.trees, agent)).not.toEqual([]);
  expect((await stage.completes(agent)).code).toBe(0);
});

it('PHASE-34: what was committed in the clone of another machine is waited for, and not given up', async () => {
  const { repo } = stage.s;
  const clone = join(dirname(repo.top), 'clone');
  repo.git('clone', '-q', `file://${repo.top}`, clone);
  symlinkSync(join(repo.top, '.git/countersign'), join(clone, '.git/countersign'));
  const there = stage.s.from(clone);
  const [one = '', two = ''] = await stage.plan('A', 'B');
  const { task_id: task } = await stage.status(one);
  const deployed = await there.say(LEAD, 'phase', 'deploy', one, '--prompt', 'Build it');
  const agent = String(deployed.data.agent_id);
  const tree = join(dirname(clone), 'clone.agents', agent);
  writeFileSync(join(tree, 'made.txt'), 'there\n');
  runIn(tree, ['add', '-A']);
  runIn(tree, ['commit', '-qm', 'made there']);
  expect((await there.say(agent, 'agent', 'progress', 'completed', '--message', 'done')).code).toBe(0);
  // The machine that has the label does not have the commit.
  const near = () => stage.must(LEAD, 'work', '--once', '--label', 'near');
  await near();
  expect(await stage.state(one)).toBe('AWAITING_REVIEW');
  const branch = `phases/${task}`;
  const told = async (phase: string) =>
    stage.s.with(async (opened) => {
      const ports = { ...opened.ports, runner: { ...opened.ports.runner, labels: ['near'] } };
      const { phaseStatus } = await import('../../src/engine/phases/status.ts');
      return (await phaseStatus(ports, phase)).guidance.blocked_reason?.join() ?? '';
    });
  expect(await told(one)).toContain(`git fetch REMOTE ${branch}:${branch}`);
  repo.git('fetch', '-q', clone, `${branch}:${branch}`);
  await near();
  expect(await stage.state(one)).toBe('UNDER_REVIEW');
  expect((await stage.verdict(one, 'approve')).code).toBe(0);
  await stage.must(LEAD, 'phase', 'advance', one);
  // The next agent begins from it wherever it is; elsewhere it waits, and nobody says that the work is gone.
  repo.git('update-ref', '-d', `refs/heads/${branch}`);
  const other = join(dirname(repo.top), 'other');
  repo.git('clone', '-q', '--single-branch', '-b', 'main', `file://${repo.top}`, other);
  symlinkSync(join(repo.top, '.git/countersign'), join(other, '.git/countersign'));
  const far = stage.s.from(other);
  const next = await far.say(LEAD, 'phase', 'deploy', two, '--prompt', 'Go on');
  expect([next.code, next.data.status]).toEqual([0, 'starting']);
  runIn(other, ['fetch', '-q', clone, `${branch}:${branch}`]);
  await far.say(LEAD, 'tick');
  expect((await stage.status(two)).agents.at(-1)).toMatchObject({ status: 'running' });
});

it('PHASE-14: who has the store and not its folder starts nobody: the order of an agent lies there', async () => {
  const [phase = ''] = await stage.plan('A');
  const said = await stage.must(
    LEAD,
    'phase',
    'deploy',
    phase,
    '--agent',
    'near',
    '--prompt',
    'The very order',
  );
  const agent = String(said.data.agent_id);
  stage.s.env.COUNTERSIGN_LABELS = 'near';
  try {
    alone = true;
    const { guidance, agents } = await stage.status(phase);
    expect(agents.at(-1)).toMatchObject({ status: 'starting' });
    expect(guidance.blocked_reason?.join()).toContain('this is not the folder of the store; bring it there');
    alone = false;
    expect((await stage.status(phase)).agents.at(-1)).toMatchObject({ status: 'running' });
  } finally {
    alone = false;
    delete stage.s.env.COUNTERSIGN_LABELS;
  }
  const told = async () => (await stage.s.text(LEAD, 'agent', 'output', agent)).out;
  await expect.poll(told).toContain('The very order');
});

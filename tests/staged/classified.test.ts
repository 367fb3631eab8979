// One file for the whole exit of CLASSIFIED. (over 200 lines)
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Said } from '../session.ts';
import type { Crew } from './crew.ts';
import { crewAt, TASK } from './walk.ts';

let crew: Crew;
beforeEach(async () => {
  crew = await crewAt('CLASSIFIED');
});
afterEach(() => crew.close());

const missing = (said: Said) => JSON.stringify(said.error.missing);
const folder = () => join(crew.tasks, TASK);
const document = () => join(folder(), 'task.md');
const main = () => join(dirname(crew.tasks), 'repo');
const assess = (more: readonly string[] = []) => {
  const words = [
    '--risk',
    'MEDIUM',
    '--agents',
    'architect,quality',
    '--reason',
    'src/dates.js, docs/dates.md',
    ...more,
  ];
  return crew.go('task', 'assess', TASK, ...words);
};

/** All that the exit needs. */
async function ready(): Promise<void> {
  for (const words of [['worktrees'], ['document']]) {
    if (words[0] === 'worktrees') expect(await assess()).toMatchObject({ code: 0 });
    expect(await crew.go('task', ...words, TASK)).toMatchObject({ code: 0 });
  }
}

async function gathers(): Promise<Said> {
  const said = await crew.go('task', 'gather', TASK);
  if (said.code !== 0) expect((await crew.go('task', 'show', TASK)).data.state).toBe('CLASSIFIED');
  return said;
}

describe('the conditions of the exit', () => {
  test('PROTO-147, PROTO-148: without a risk, and without an agent, it is closed', async () => {
    expect(missing(await gathers())).toContain('classification');
    const none = ['task', 'assess', TASK, '--agents', 'architect', '--reason', 'x'];
    expect((await crew.go(...none)).error.message).toContain('risk');
    expect(missing(await crew.go(...none, '--risk', 'SOME'))).toContain('there is no risk SOME');
    expect(
      missing(await crew.go('task', 'assess', TASK, '--risk', 'LOW', '--agents', ' , ', '--reason', 'x')),
    ).toContain('no agent is named');
    expect(missing(await gathers())).toContain('no agent is named');
  });

  test('PROTO-149, PROTO-160: asked from the main worktree, or from nowhere that was looked at, it is closed', async () => {
    await ready();
    for (const where of [main(), join(folder(), 'agents', 'architect', 'code')]) {
      const said = await crew.say(where, 'lead', 's-1', 'task', 'gather', TASK);
      expect(said.code).toBe(3);
      expect(missing(said)).toContain(`from ${where}, not from ${crew.code}`);
    }
    expect((await crew.go('task', 'show', TASK)).data.state).toBe('CLASSIFIED');
    expect(await gathers()).toMatchObject({ code: 0 });
  });

  test('PROTO-150: an agent without its worktree is named', async () => {
    await ready();
    const tree = join(folder(), 'agents', 'quality', 'code');
    crew.git(crew.code, 'worktree', 'remove', '-f', '-f', tree);
    const told = missing(await gathers());
    expect(told).toContain('quality has no worktree');
    expect(told).toContain(tree);
    expect(told).not.toContain('architect');
    await crew.go('task', 'worktrees', TASK);
    expect(await gathers()).toMatchObject({ code: 0 });
  });

  test('PROTO-151, PROTO-154: task.md lies in the folder of the task; in the code it counts as missing, and the path is told', async () => {
    await ready();
    renameSync(document(), join(crew.code, 'task.md'));
    expect(missing(await gathers())).toContain(`there is no ${document()}`);
    renameSync(join(crew.code, 'task.md'), document());
    expect(await gathers()).toMatchObject({ code: 0 });
  });

  test('PROTO-155: the first task.md has the three headings and a place for each agent', async () => {
    await ready();
    const text = readFileSync(document(), 'utf8');
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(headings).toEqual(
      expect.arrayContaining(['Task Objective', 'Scope Definition', 'Stakeholder Agent Reports']),
    );
    const places = [...text.matchAll(/^### (.*)\n\n_pending_$/gm)].map(([, agent]) => agent);
    expect(places).toEqual(['architect', 'quality']);
  });

  test('PROTO-156: the move shows its five pieces of evidence', async () => {
    await ready();
    await gathers();
    const moves = (await crew.session.events('T-1')).filter((e) => e.type === 'moved');
    const [assessed] = moves.filter(({ command }) => command === 'assess');
    const [gathered] = moves.filter(({ command }) => command === 'gather');
    expect(assessed?.reason).toBe('src/dates.js, docs/dates.md');
    expect(assessed?.facts.patterns).toEqual([
      'src/dates.js matches **: MEDIUM',
      'docs/dates.md matches **/*.md: LOW',
    ]);
    expect(gathered?.facts.cwd).toBe(crew.code);
    expect(gathered?.facts.probes).toMatchObject({
      'task-file': { status: 'satisfied', because: 'task.md has its sections' },
      'agent-worktrees': { status: 'satisfied', because: '2 agents have their worktrees' },
    });
  });
});

describe('who writes task.md, and when', () => {
  test('PROTO-152: a stakeholder does not begin it; one that was written by hand is found by the audit', async () => {
    await assess();
    await crew.go('task', 'worktrees', TASK);
    const refused = await crew.say(crew.code, 'architect', 's-1', 'task', 'document', TASK);
    expect(refused.code).not.toBe(0);
    crew.write(
      document(),
      '# x\n\n## Task Objective\n\n## Scope Definition\n\n## Stakeholder Agent Reports\n',
    );
    expect(await gathers()).toMatchObject({ code: 0 });
    const audit = await crew.text(crew.code, 'lead', 's-1', 'task', 'audit', TASK);
    expect(audit.code).toBe(1);
    expect(audit.out).toContain('task.md was not begun by the coordinator');
  });

  test('PROTO-153: it is there after the agents are chosen and before one is called', async () => {
    expect(missing(await crew.go('task', 'document', TASK))).toContain('classification');
    await ready();
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'architect')).code).toBe(6);
    await gathers();
    rmSync(document());
    expect(missing(await crew.go('task', 'invoke', TASK, '--agent', 'architect'))).toContain(
      `there is no ${document()}`,
    );
    expect((await crew.text(crew.code, 'lead', 's-1', 'task', 'audit', TASK)).out).toContain(
      `${TASK}: clean`,
    );
  });
});

describe('calling the agents', () => {
  test('PROTO-157, PROTO-159: from elsewhere, the main worktree too, none is called, and both paths are told', async () => {
    await ready();
    await gathers();
    for (const where of [main(), join(folder(), 'agents', 'architect', 'code')]) {
      const said = await crew.say(where, 'lead', 's-1', 'task', 'invoke', TASK, '--agent', 'architect');
      expect(said.code).toBe(3);
      expect(missing(said)).toContain(where);
      expect(missing(said)).toContain(crew.code);
    }
    expect((await crew.go('task', 'show', TASK)).data.invocations).toEqual([]);
  });

  test('PROTO-158: where one has no worktree, none is called', async () => {
    await ready();
    await gathers();
    crew.git(crew.code, 'worktree', 'remove', '-f', '-f', join(folder(), 'agents', 'quality', 'code'));
    for (const agent of ['architect', 'quality'])
      expect(missing(await crew.go('task', 'invoke', TASK, '--agent', agent))).toContain(
        'quality has no worktree',
      );
  });

  test('PROTO-161: the look at the working directory comes before each first call, in the log itself', async () => {
    await ready();
    await gathers();
    for (const agent of ['architect', 'quality']) await crew.go('task', 'invoke', TASK, '--agent', agent);
    const events = (await crew.session.events('T-1')).filter((e) => e.type === 'moved');
    const calls = events.filter(({ command }) => command === 'invoke');
    expect(calls.map(({ arguments: { agent } }) => agent)).toEqual(['architect', 'quality']);
    const before = events.findIndex(({ command }) => command === 'gather');
    expect(before).toBeLessThan(events.findIndex(({ command }) => command === 'invoke'));
    for (const { facts } of [...calls, events[before]].flatMap((e) => (e === undefined ? [] : [e]))) {
      expect(facts.cwd).toBe(crew.code);
      expect(facts.probes).toMatchObject({ 'in-worktree': { status: 'satisfied' } });
    }
  });
});

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { staged } from '../../src/protocols/staged.ts';
import { AGENTS, type Crew, openCrew, REPORT } from './crew.ts';
import { gateOf } from './gates.ts';
import { answered, commits, crewAt, DONE, PLANNED, reach, TASK } from './walk.ts';

// What is named as the next step is there, and leads on.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const git = (...words: string[]) => crew.git(top(), ...words).trim();
const treeOf = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
const next = async () =>
  ((await crew.go('task', 'show', TASK)).data.next as unknown as { run: string }[]).map(({ run }) => run);
const text = (...words: string[]) => crew.text(crew.code, 'lead', 's-1', ...words);

test('PROTO-23: every step of the table has its command', async () => {
  crew = await openCrew();
  const named = [...new Set(staged.rows.map(({ command }) => command))].filter((name) => name !== 'verify');
  const { out } = await crew.text(top(), '', '', 'task', '--help');
  const known = [...out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

describe('where a step waits for the word of a person', () => {
  test('its refusal names the command by which the word is given', async () => {
    crew = await crewAt('SYNTHESIS');
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
    await crew.go('task', 'present-plan', TASK);
    const early = await text('task', 'implement', TASK);
    expect(early.err).toContain(
      `next: a person runs: countersign task approve ${TASK}, and countersign task acknowledge-delegation ${TASK}; then `,
    );
    await reach(crew, 'AWAITING_USER_APPROVAL', 'IMPLEMENTATION');
    const refused = await text('task', 'complete', TASK);
    expect(refused.err).toContain(`next: a person runs: countersign task approve ${TASK}; then `);
    const { points } = await gateOf(crew, 'complete');
    expect(points.find(({ passed }) => !passed)?.fix).toBe(`a person runs: countersign task approve ${TASK}`);
    expect(await crew.shown()).toContain('is here for review');
  });
});

describe('where a branch or a tree is not as it was', () => {
  test('a branch that moved under review comes back by what is told', async () => {
    crew = await crewAt('REVIEW');
    for (const agent of AGENTS) await answered(crew, agent, 'APPROVED');
    crew.git(crew.code, 'commit', '-q', '--allow-empty', '-m', 'late');
    const { points } = await gateOf(crew, 'present');
    const fix = points.find(({ name }) => name === 'head-shown')?.fix ?? '';
    const [, commit = ''] = /reset --keep (\w+);/.exec(fix) ?? [];
    crew.git(crew.code, 'reset', '-q', '--keep', commit);
    expect((await crew.go('task', 'present', TASK)).code).toBe(0);
  });

  test('the tree of the task is gone: a person gives it back, and it is made again where it was', async () => {
    crew = await crewAt('IMPLEMENTATION');
    commits(crew, 'quality', { 'quality.js': '1;\n' });
    await answered(crew, 'quality');
    await crew.go('task', 'merge', TASK, 'quality');
    rmSync(crew.code, { recursive: true });
    const from = (...words: string[]) => crew.say(top(), 'lead', 's-1', ...words);
    const refused = await from('task', 'start', TASK);
    expect(refused.error.hint).toContain(`countersign lease force ${TASK} --reason WHY`);
    const { data } = await from('task', 'show', TASK);
    expect((data.next as unknown as { run: string }[]).map(({ run }) => run)).toEqual([
      `countersign lease force ${TASK} --reason WHY`,
    ]);
    await (await crew.shownForce(TASK, 'its tree is gone'))();
    await from('task', 'check', TASK);
    expect((await from('task', 'start', TASK)).code).toBe(0);
    expect(crew.git(crew.code, 'ls-files')).toContain('quality.js');
  });

  test('what an agent resolved is merged, and not the main branch once more', async () => {
    crew = await crewAt('COMPLETE');
    crew.write(join(top(), 'work.txt'), 'of somebody else\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'of somebody else');
    await crew.go('task', 'request-change', TASK, '--reason', 'it does not land');
    expect(await next()).toEqual(
      AGENTS.map((agent) => expect.stringContaining(`invoke ${TASK} --agent ${agent}`)),
    );
    for (const agent of AGENTS) await crew.go('task', 'invoke', TASK, '--agent', agent);
    const told = await crew.text(crew.code, 'architect', '', 'task', 'show', TASK);
    expect(told.out).toContain('git merge --no-ff main, resolve work.txt, and commit');
    expect(() => crew.git(treeOf('architect'), 'merge', '-q', '--no-ff', 'main')).toThrow();
    crew.write(join(treeOf('architect'), 'work.txt'), 'done, of both\n');
    crew.git(treeOf('architect'), 'commit', '-qam', 'both');
    for (const agent of AGENTS) await crew.say(treeOf(agent), agent, '', 'task', 'status', TASK, 'COMPLETE');
    expect((await next())[0]).toContain(`merge ${TASK} architect`);
    expect((await crew.go('task', 'merge', TASK, 'architect')).code).toBe(0);
    expect((await next())[0]).toContain(`validate ${TASK}`);
  });
});

describe('a main branch that nothing names', () => {
  test('was renamed meanwhile: nothing lands on what is checked out instead', async () => {
    crew = await crewAt('COMPLETE');
    git('branch', '-m', 'main', 'trunk');
    git('checkout', '-q', '-b', 'feature');
    const before = git('rev-parse', 'feature');
    const refused = await crew.go('task', 'land', TASK);
    expect([refused.code, refused.error.message]).toEqual([
      2,
      'main, for which the task was begun, is not here any more',
    ]);
    expect(git('rev-parse', 'feature')).toBe(before);
    expect((await next())[0]).toContain(`land ${TASK}`);
    git('branch', '-m', 'trunk', 'main');
    git('checkout', '-q', 'main');
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
  });

  test('was renamed meanwhile, and none is checked out: that is told, and nothing else is taken for it', async () => {
    crew = await openCrew();
    git('branch', '-m', 'main', 'trunk');
    await reach(crew, 'COMPLETE');
    git('branch', '-m', 'trunk', 'other');
    git('checkout', '-q', '--detach');
    expect((await crew.go('task', 'land', TASK)).error.message).toBe(
      'trunk, for which the task was begun, is not here any more',
    );
  });

  test('and no branch is checked out: no task begins that could land nowhere', async () => {
    crew = await openCrew();
    git('branch', '-m', 'main', 'trunk');
    git('checkout', '-q', '--detach');
    await crew.say(top(), 'lead', 's-1', 'task', 'check', TASK);
    const refused = await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK);
    expect([refused.code, refused.error.message]).toEqual([
      2,
      expect.stringContaining('nothing says on which branch the task is to land'),
    ]);
    git('checkout', '-q', 'trunk');
    expect((await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK)).code).toBe(0);
  });
});

describe('an agent by another name', () => {
  test('CP-25: an agent of the task keeps its name where the project has given it to another one since', async () => {
    const agents = (last: string) =>
      `staged: {agents: {architect: {tier: 1}, quality: {}, ${last}}, rules: [{patterns: ['**'], risk: MEDIUM, agents: [architect]}]}\n`;
    crew = await crewAt('REQUIREMENTS', { config: agents('tester: {}') });
    crew.write(join(top(), '.countersign/config.yaml'), agents('style: {aliases: [tester]}'));
    git('commit', '-qam', 'tester is style from now on');
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'tester')).code).toBe(0);
  });

  test('CP-25: is the same agent, in commands, in the rules and in the document', async () => {
    const rules =
      "staged: {rules: [{patterns: ['**'], risk: MEDIUM, agents: [architect, engineer, test]}]}\n";
    crew = await crewAt('CLASSIFIED', { config: rules });
    expect((await text('task', 'risk', 'src/dates.js')).out).toContain('architect, quality, tester');
    const asked = ['--risk', 'MEDIUM', '--agents', 'architect,engineer,test', '--reason', 'src/dates.js'];
    for (const words of [
      ['assess', TASK, ...asked],
      ...['worktrees', 'document', 'gather'].map((w) => [w, TASK]),
    ])
      expect(await crew.go('task', ...words)).toMatchObject({ code: 0 });
    for (const agent of ['architect', 'engineer', 'test'])
      expect((await crew.go('task', 'invoke', TASK, '--agent', agent)).code).toBe(0);
    for (const agent of AGENTS) await crew.reports(agent);
    await crew.go('task', 'synthesize', TASK);
    const document = PLANNED().replace('### tester', '### test').replace('- tester:', '- test:');
    crew.write(join(crew.tasks, TASK, 'task.md'), document);
    expect((await crew.go('task', 'present-plan', TASK)).code).toBe(0);
    const failing = (await gateOf(crew, 'implement')).points.filter(({ passed }) => !passed);
    expect(failing.map(({ name }) => name)).toEqual(['plan-approval', 'delegation']);
    const lock = JSON.parse(readFileSync(join(crew.tasks, TASK, 'task.json'), 'utf8'));
    expect(lock.required_agents).toEqual([...AGENTS]);
    await crew.approves();
    for (const command of ['acknowledge-delegation', 'implement']) await crew.go('task', command, TASK);
    commits(crew, 'tester', { 'work.txt': 'done\n', 'todo.md': DONE });
    await answered(crew, 'tester');
    expect((await crew.go('task', 'merge', TASK, 'test')).code).toBe(0);
  });
});

describe('a checkpoint', () => {
  test('PROTO-110: who cannot give the word is told who can, by whatever name it is asked for', async () => {
    crew = await crewAt('AWAITING_USER_APPROVAL');
    for (const words of [
      ['task', 'approve', TASK],
      ['approve', TASK],
      ['approve', 'T-1'],
    ])
      expect((await text(...words)).err).toContain(`next: a person runs: countersign task approve ${TASK}`);
  });
});

describe('the files of an agent', () => {
  test('CP-20, CP-23: a report under its older name is taken and renamed; the status has round, kind of error and decision', async () => {
    crew = await crewAt('REQUIREMENTS');
    const at = (name: string) => join(crew.tasks, TASK, name);
    const status = () => JSON.parse(readFileSync(at('agents/architect/status.json'), 'utf8'));
    await answered(crew, 'architect', 'ERROR');
    expect(status()).toMatchObject({ status: 'ERROR', round: 0, error_type: 'implementation-error' });
    crew.write(at('architect-requirements.md'), REPORT('architect'));
    const words = ['task', 'status', TASK, 'COMPLETE'];
    const said = await crew.text(crew.code, 'architect', '', ...words);
    expect([said.code, said.err]).toEqual([0, expect.stringContaining('is ')]);
    expect(existsSync(at('architect-requirements.md'))).toBe(false);
    expect(existsSync(at(`${TASK}-architect-requirements.md`))).toBe(true);
    for (const agent of ['quality', 'tester']) {
      await crew.go('task', 'invoke', TASK, '--agent', agent);
      await crew.reports(agent);
    }
    await crew.go('task', 'synthesize', TASK);
    await reach(crew, 'REVIEW', 'IMPLEMENTATION');
    await answered(crew, 'architect', 'APPROVED');
    expect(status()).toMatchObject({ status: 'COMPLETE', decision: 'APPROVED', round: 1 });
  });

  test('CP-06: what lies in the folder of a task that nobody began is told before it is taken up', async () => {
    crew = await openCrew();
    crew.write(join(crew.tasks, TASK, `${TASK}-tester-requirements.md`), REPORT('tester'));
    const { out } = await crew.text(top(), 'lead', 's-1', 'task', 'check', TASK);
    expect(out).toContain(`${join(crew.tasks, TASK)} holds files of an earlier time`);
  });
});

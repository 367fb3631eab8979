import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { buildProgram, inProcess } from '../terminal.ts';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { leaveOnItsWay } from './on-its-way.ts';
import { answered, commits, crewAt, DONE, reach, TASK } from './walk.ts';

// Merges and landings where others are at git in the same moment, or have told it what to do.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const git = (...words: string[]) => crew.git(top(), ...words).trim();
const isMerged = (agent: string) =>
  git('branch', '--format=%(refname:short)', '--merged', TASK).includes(`task-${TASK}-agent-${agent}`);

test('PROTO-21: of agents that are merged at once none is taken back by another', async () => {
  const program = buildProgram();
  crew = await openCrew();
  try {
    await reach(crew, 'IMPLEMENTATION');
    for (let n = 0; n < 60; n++) crew.write(join(top(), `common/${n}.js`), '1;\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'elsewhere');
    for (const agent of AGENTS) {
      const files = Array.from({ length: 150 }, (_, n) => [`${agent}/${n}.js`, '1;\n'] as const);
      const own = join(crew.tasks, TASK, 'agents', agent, 'code');
      crew.git(own, 'merge', '-q', '--no-ff', '--no-edit', 'main');
      commits(crew, agent, Object.fromEntries(files));
      await answered(crew, agent);
    }
    const merge = (agent: string) => ['--actor', 'lead', 'task', '--session', 's-1', 'merge', TASK, agent];
    const said = await Promise.all(AGENTS.map((agent) => inProcess(program, crew.session, merge(agent))));
    expect(said.map(({ code, err }) => [code, err])).toEqual(AGENTS.map(() => [0, '']));
    expect(AGENTS.map(isMerged)).toEqual([true, true, true]);
    expect(crew.git(crew.code, 'status', '--porcelain')).toBe('');
  } finally {
    program.remove();
  }
});

test('where git keeps the branch from moving nothing is left of a landing, and it lands later', async () => {
  crew = await crewAt('COMPLETE');
  const standing = () => [git('rev-parse', 'main'), git('status', '--porcelain')];
  const before = standing();
  const lock = join(top(), '.git/refs/heads/main.lock');
  writeFileSync(lock, '');
  expect((await crew.go('task', 'land', TASK)).code).not.toBe(0);
  expect(standing()).toEqual(before);
  rmSync(lock);
  expect((await crew.go('task', 'land', TASK)).code).toBe(0);
});

test('R2: a landing whose process ended before the branch moved is finished by the same words', async () => {
  crew = await crewAt('COMPLETE');
  leaveOnItsWay(crew, top(), TASK);
  const changes = () => git('status', '--porcelain', '-uno');
  expect(changes()).not.toBe('');
  expect((await crew.go('task', 'land', TASK)).code).toBe(0);
  expect([git('log', '--format=%an', '-1'), changes()]).toEqual(['countersign', '']);
});

test('R2, PROTO-278: what ended on its way is put back where a task is sent back, given up, and tidied up', async () => {
  crew = await crewAt('COMPLETE');
  commits(crew, 'quality', { 'late.js': '1;\n', 'README.md': 'late\n' });
  const leave = (tree: string) =>
    leaveOnItsWay(crew, tree, tree === top() ? TASK : `task-${TASK}-agent-quality`);
  const changes = () => [top(), crew.code].map((tree) => crew.git(tree, 'status', '--porcelain', '-uno'));
  leave(top());
  await crew.decides('request-change', 'not yet');
  expect(changes()).toEqual(['', '']);
  leave(crew.code);
  await crew.decides('cancel', 'no more');
  expect(changes()).toEqual(['', '']);
  for (const tree of [top(), crew.code]) leave(tree);
  const tidied = await crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK);
  expect([tidied.code, git('status', '--porcelain', '-uno')]).toEqual([0, '']);
});

test('R2: a landing whose process died before it gave main back is led to give it back', async () => {
  crew = await crewAt('COMPLETE');
  expect((await crew.go('task', 'land', TASK)).code).toBe(0);
  expect((await crew.go('lease', 'take', 'main')).code).toBe(0);
  const next = async () =>
    ((await crew.go('task', 'show', TASK)).data.next as unknown as { run: string }[]).map(({ run }) => run);
  expect((await next())[0]).toContain(`land ${TASK}`);
  const main = git('rev-parse', 'main');
  expect((await crew.go('task', 'land', TASK)).code).toBe(0);
  expect(git('rev-parse', 'main')).toBe(main);
  expect((await crew.say(top(), 'lead', '', 'lease', 'show', 'main')).data.holder).toBe(null);
  expect((await next())[0]).toContain(`clean ${TASK}`);
});

test('PROTO-239: no program that a configuration names writes into a merge or a landing', async () => {
  const lib = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  crew = await crewAt('IMPLEMENTATION', { files: { 'lib.js': lib } });
  git('config', 'merge.evil.driver', "printf 'evil\\n' > %A");
  writeFileSync(join(top(), '.git/info/attributes'), '*.js merge=evil\n');
  commits(crew, 'quality', { 'lib.js': lib.replace('a\n', 'A\n') });
  commits(crew, 'tester', { 'lib.js': lib.replace('d\n', 'D\n') });
  commits(crew, 'architect', { 'work.txt': 'done\n', 'todo.md': DONE });
  for (const agent of AGENTS) {
    await answered(crew, agent);
    expect((await crew.go('task', 'merge', TASK, agent)).code).toBe(0);
  }
  expect((await crew.go('task', 'validate', TASK)).code).toBe(0);
  await reach(crew, 'COMPLETE', 'REVIEW');
  crew.write(join(top(), 'lib.js'), lib.replace('h\n', 'H\n'));
  git('commit', '-q', '-am', 'elsewhere');
  expect((await crew.go('task', 'land', TASK)).code).toBe(0);
  expect(git('show', 'main:lib.js')).toBe('A\nb\nc\nD\ne\nf\ng\nH');
  // What git would make of both by now, by attributes that came since, is no question any more.
  writeFileSync(join(top(), '.git/info/attributes'), '*.js -merge\n');
  expect((await crew.go('task', 'clean', TASK)).code).toBe(0);
});

test('PROTO-250: a conflict that git remembers is told all the same', async () => {
  crew = await crewAt('IMPLEMENTATION', { files: { 'lib.js': 'a\n' } });
  git('config', 'rerere.enabled', 'true');
  git('config', 'rerere.autoupdate', 'true');
  for (const agent of ['architect', 'quality']) {
    commits(crew, agent, { 'lib.js': `${agent}\n` });
    await answered(crew, agent);
  }
  expect((await crew.go('task', 'merge', TASK, 'architect')).code).toBe(0);
  const branch = `task-${TASK}-agent-quality`;
  expect(() => crew.git(crew.code, 'merge', '-q', branch)).toThrow();
  crew.write(join(crew.code, 'lib.js'), 'both\n');
  crew.git(crew.code, 'commit', '-q', '-am', 'resolved');
  crew.git(crew.code, 'reset', '-q', '--hard', 'HEAD~1');
  const told = await crew.go('task', 'merge', TASK, 'quality');
  expect([told.code, told.data.conflicts]).toEqual([6, ['lib.js']]);
});

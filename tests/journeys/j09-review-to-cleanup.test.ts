import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../staged/crew.ts';
import { told } from '../staged/hooked.ts';
import { answered, approved, commits, DONE, reach, TASK } from '../staged/walk.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { gateOf, type Hands, handsOf, lacks, stateOf } from './staged-hands.ts';

// J09: from checks that fail to a task that is tidied up, in a repository with a remote that the reviewers read.
let program: Program;
let w: Hands;
let remote = '';
beforeAll(async () => {
  program = buildProgram();
  w = await handsOf(program);
  remote = join(w.session.repo.root, 'remote.git');
  w.git(top(), 'init', '-q', '--bare', '-b', 'main', remote);
  w.git(top(), 'remote', 'add', 'origin', remote);
  w.git(top(), 'push', '-q', 'origin', 'main');
  w.git(top(), 'remote', 'set-head', 'origin', 'main');
  await reach(w, 'IMPLEMENTATION');
});
afterAll(async () => {
  await w.stop();
  program.remove();
});

const top = () => w.session.repo.top;
const head = () => w.git(w.code, 'rev-parse', 'HEAD').trim();
const done = async (...words: readonly string[]) =>
  expect(await w.go('task', ...words)).toMatchObject({ code: 0 });
const says = (agent: string, ...words: readonly string[]) =>
  w.say(w.code, agent, '', 'task', 'status', TASK, ...words);
const trail = () => JSON.parse(readFileSync(join(w.tasks, TASK, 'audit-trail.json'), 'utf8'));

/** A round of building in which one agent changes something, and the others say that they have nothing left; `merged`: whose work comes. */
async function round(agent: string, files: Readonly<Record<string, string>>, merged = [agent]) {
  commits(w, agent, files);
  for (const one of AGENTS) await answered(w, one);
  for (const one of merged) await done('merge', TASK, one);
  await done('validate', TASK);
}
const verdicts = async (word = 'APPROVED') => {
  for (const agent of AGENTS) await answered(w, agent, word);
};

describe('J09: the checks and the review', () => {
  test('J09: checks that fail go back to the agents, and whoever coordinates mends nothing', async () => {
    for (const agent of AGENTS.slice(1)) commits(w, agent, { [`${agent}.js`]: '1;\n' });
    await round('architect', { 'work.txt': 'begun\n', 'todo.md': DONE }, [...AGENTS]);
    const failed = await w.go('verify', 'T-1');
    expect(failed.code).not.toBe(0);
    expect(await stateOf(w)).toBe('IMPLEMENTATION');
    expect(trail().build_verifications).toMatchObject([{ result: 'FAILURE' }]);
    const mends = w.hooks.uses('Edit', { file_path: join(w.code, 'work.txt') }, { cwd: w.code });
    expect(mends).toContain('Invoke it instead');
    await round('architect', { 'work.txt': 'done\n' });
    expect(await w.go('verify', 'T-1')).toMatchObject({ code: 0 });
    expect(trail().build_verifications.map(({ result }: { result: string }) => result)).toEqual([
      'FAILURE',
      'SUCCESS',
    ]);
  });

  test('J09: one of three rejects, and all three judge the next commit anew', async () => {
    await answered(w, 'architect', 'APPROVED');
    await answered(w, 'quality', 'APPROVED');
    expect(lacks(await w.go('task', 'present', TASK))).toContain('tester');
    await done('invoke', TASK, '--agent', 'tester');
    expect((await says('tester', 'REJECTED')).code).not.toBe(0);
    expect(await says('tester', 'REJECTED', '--reason', 'no leap years')).toMatchObject({ code: 0 });
    expect((await w.go('task', 'present', TASK)).code).not.toBe(0);
    await done('rework', TASK, '--reason', 'no leap years');
    expect(await stateOf(w)).toBe('IMPLEMENTATION');
    await round('tester', { 'leap.js': '1;\n' });
    expect(await w.go('verify', 'T-1')).toMatchObject({ code: 0 });
    expect(await gateOf(w, 'present')).toContain('review');
    expect(lacks(await w.go('task', 'present', TASK))).toContain('0 of 3 say APPROVED');
  });

  test('J09: what is out of scope is decided by a person: it is put off, and who objected votes again', async () => {
    await answered(w, 'architect', 'APPROVED');
    await answered(w, 'quality', 'APPROVED');
    await done('invoke', TASK, '--agent', 'tester');
    await says('tester', 'REJECTED', '--reason', 'and the calendars?');
    await done('negotiate', TASK, '--reason', 'calendars are outside of the scope');
    expect(await stateOf(w)).toBe('SCOPE_NEGOTIATION');
    for (const command of ['defer', 'keep-scope', 'change-scope'])
      expect((await w.go('task', command, TASK, '--reason', 'mine')).code, command).toBe(7);
    expect((await w.decides('defer', 'calendars are a task of their own')).kind).toBe('done');
    expect(await stateOf(w)).toBe('REVIEW');
    expect(lacks(await w.go('task', 'present', TASK))).toContain('0 of 3 say APPROVED');
    await verdicts();
  });
});

describe('J09: the person and the commit', () => {
  test('J09: the branch is pushed, and what is shown is its commit', async () => {
    await done('present', TASK);
    expect(w.git(remote, 'rev-parse', TASK).trim()).toBe(head());
    const lock = JSON.parse(readFileSync(join(w.tasks, TASK, 'task.json'), 'utf8'));
    expect(lock.checkpoint).toMatchObject({
      type: 'USER_APPROVAL_POST_REVIEW',
      commit_sha: head(),
      approved: false,
    });
    const shown = w.hooks.stops('It is before you.', { cwd: w.code }).said?.systemMessage;
    for (const part of [head(), `origin/${TASK}`]) expect(shown).toContain(part);
    expect(lacks(await w.go('task', 'complete', TASK))).toContain('checkpoint');
  });

  test('J09: a change that they ask for goes back at once; the word on the commit before is none on the next', async () => {
    const before = head();
    expect((await w.go('task', 'invoke', TASK, '--agent', 'architect')).code).not.toBe(0);
    expect(told(w.hooks.prompts('please handle empty text', { cwd: w.code }))).toContain(
      `task request-change ${TASK}`,
    );
    expect(w.hooks.stops('Shall I go back?', { cwd: w.code }).said?.decision).toBe('block');
    const asked = 'the user requested changes: empty text';
    expect((await w.go('task', 'request-change', TASK, '--reason', asked)).data.status).toBe(
      'IMPLEMENTATION',
    );
    const log = JSON.parse(readFileSync(join(w.tasks, TASK, 'task.json'), 'utf8')).transition_log;
    expect(log.at(-1)).toMatchObject({ from: 'AWAITING_USER_APPROVAL', to: 'IMPLEMENTATION', reason: asked });
    expect((await w.person('task', 'approve', TASK)).code).not.toBe(0);
    await round('architect', { 'empty.js': '1;\n' });
    expect(await w.go('verify', 'T-1')).toMatchObject({ code: 0 });
    await verdicts();
    await done('present', TASK);
    expect(head()).not.toBe(before);
    expect((await w.go('task', 'complete', TASK)).code).not.toBe(0);
  });

  test('J09: approved is one commit: a branch that moved is not what they saw', async () => {
    await approved(w);
    const shown = head();
    w.write(join(w.code, 'late.js'), '1;\n');
    w.git(w.code, 'add', '-A');
    w.git(w.code, 'commit', '-q', '-m', 'late');
    expect(lacks(await w.go('task', 'complete', TASK))).toContain(`has moved from ${shown.slice(0, 12)}`);
    w.git(w.code, 'reset', '-q', '--hard', shown);
    expect((await w.go('task', 'complete', TASK)).data.status).toBe('COMPLETE');
  });
});

describe('J09: the end', () => {
  test('J09: it lands as one commit, and only then it ends', async () => {
    const before = w.git(top(), 'rev-parse', 'main').trim();
    expect(await gateOf(w, 'clean')).toEqual(['landed']);
    expect((await w.go('task', 'clean', TASK)).code).not.toBe(0);
    await done('land', TASK);
    expect(w.git(top(), 'rev-list', '--count', `${before}..main`).trim()).toBe('1');
    expect((await w.go('task', 'clean', TASK)).data.status).toBe('CLEANUP');
  });

  test('J09: its papers are kept, and nothing else of it is left', async () => {
    const { state_transitions: moves, agent_invocations: calls, commits: made } = trail();
    expect([moves.length > 0, calls.length > 0, made.length > 0]).toEqual([true, true, true]);
    expect(calls.every(({ status }: { status: string }) => status === 'completed')).toBe(true);
    const tidied = await w.say(top(), 'lead', 's-1', 'task', 'tidy', TASK);
    expect([tidied.code, tidied.data.left]).toEqual([0, []]);
    expect(w.git(top(), 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(w.git(top(), 'branch', '--list', `*${TASK}*`)).toBe('');
    expect(existsSync(join(w.tasks, TASK))).toBe(false);
    const kept = readdirSync(join(w.tasks, '.archive', `${TASK}-s-1`));
    for (const name of ['audit-trail.json', 'task.json', 'task.md', 'approvals.json'])
      expect(kept).toContain(name);
    expect((await w.text(top(), '', '', 'audit', 'verify')).out).toContain('clean');
  });
});

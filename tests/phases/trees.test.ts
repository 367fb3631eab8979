import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../fixtures/scratch-repo.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ config: CONFIG().replace('reviewers: 3', 'reviewers: 1') });
});
afterAll(() => stage.close());

const numberIn = (name: string) => Number(name.split('-')[1]);
const head = (tree: string) => runIn(tree, ['rev-parse', 'HEAD']).trim();
const branchOf = async (phase: string) => `phases/${(await stage.status(phase)).task_id}`;
const missing = (said: { readonly error: { readonly missing?: unknown } }) =>
  JSON.stringify(said.error.missing);

describe('the tree of a process', () => {
  it('PHASE-103: is the commit of the review, whatever somebody laid in its place', async () => {
    const [phase = ''] = await stage.plan('A');
    const agent = await stage.deploy(phase);
    const place = join(stage.trees, `reviewer-${numberIn(agent) + 2}`);
    stage.s.repo.git('worktree', 'add', '-q', '--detach', place, 'main');
    writeFileSync(join(place, 'all-is-well.txt'), 'nothing to see\n');
    await stage.completes(agent);
    const { commit, reviewers } = await stage.review(phase);
    expect(reviewers.map(({ agent_id: id }) => join(stage.trees, id))).toEqual([place]);
    expect(head(place)).toBe(commit);
    expect(runIn(place, ['status', '--porcelain', '--ignored'])).toBe('');
  });

  it('is whole where whoever made it died over it', async () => {
    const [phase = ''] = await stage.plan('A');
    const name = `agent-${numberIn(phase) + 1}`;
    const place = join(stage.trees, name);
    const branch = `${await branchOf(phase)}.${name}`;
    stage.s.repo.git('worktree', 'add', '-q', '--lock', '-b', branch, place, 'main');
    const lock = runIn(place, ['rev-parse', '--path-format=absolute', '--git-path', 'index.lock']).trim();
    writeFileSync(lock, '');
    for (const file of readdirSync(place))
      if (file !== '.git') rmSync(join(place, file), { recursive: true });
    expect(await stage.deploy(phase)).toBe(name);
    expect(runIn(place, ['status', '--porcelain'])).toBe('');
    expect((await stage.completes(name)).code).toBe(0);
  });

  it('is not made where another agent of that name left what it had not committed', async () => {
    const [phase = ''] = await stage.plan('A');
    const name = `agent-${numberIn(phase) + 1}`;
    const place = join(stage.trees, name);
    // Numbers begin anew in a store that is made anew.
    stage.s.repo.git('worktree', 'add', '-q', '--lock', '-b', `old/${name}`, place, 'main');
    writeFileSync(join(place, 'precious.txt'), 'not committed\n');
    const { code, out } = await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it');
    expect([code, out]).toEqual([8, expect.stringContaining(`${place} holds changes`)]);
    expect(readFileSync(join(place, 'precious.txt'), 'utf8')).toBe('not committed\n');
    expect((await stage.completes(await stage.deploy(phase))).code).toBe(0);
  });

  it('begins from the branch of its task, not from one of its own name that was there before', async () => {
    const [phase = ''] = await stage.plan('A');
    const name = `agent-${numberIn(phase) + 1}`;
    const branch = `${await branchOf(phase)}.${name}`;
    stage.s.repo.git('checkout', '-q', '-b', branch);
    const other = stage.s.repo.commit({ 'other.txt': 'of another agent\n' });
    stage.s.repo.git('checkout', '-q', 'main');
    const { code, out } = await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it');
    expect([code, out]).toEqual([8, expect.stringContaining(`git branch -m ${branch}`)]);
    expect(stage.s.repo.git('rev-parse', branch).trim()).toBe(other);
    const next = await stage.deploy(phase);
    expect(existsSync(join(stage.trees, next, 'other.txt'))).toBe(false);
  });

  it('is not made on a branch of the name of its task that does not hold where the task began', async () => {
    const before = stage.s.repo.git('rev-parse', 'main').trim();
    stage.s.repo.commit({ 'later.txt': 'later\n' });
    const [phase = ''] = await stage.plan('A');
    const branch = await branchOf(phase);
    stage.s.repo.git('branch', branch, before);
    const { code, out } = await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it');
    expect([code, out]).toEqual([8, expect.stringContaining(`git branch -m ${branch} `)]);
    stage.s.repo.git('branch', '-m', branch, 'put-aside');
    const agent = await stage.deploy(phase);
    expect(existsSync(join(stage.trees, agent, 'later.txt'))).toBe(true);
  });

  it('says which branch is in the way of that of its task', async () => {
    const [phase = ''] = await stage.plan('A');
    const { stdout } = {
      stdout: stage.s.repo.git('for-each-ref', '--format=%(refname)', 'refs/heads/phases'),
    };
    expect(stdout).not.toBe('');
    const [task = ''] = [(await stage.status(phase)).task_id];
    stage.s.repo.git('branch', `phases/${task}/mine`, 'main');
    const { out } = await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it');
    expect(out).toContain(`phases/${task}/mine`);
  });

  it('is taken away when it has ended, also where its folder is a link to another', async () => {
    const elsewhere = join(dirname(stage.trees), 'big-disk');
    const link = join(dirname(stage.trees), 'linked');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, link);
    const before = stage.s.repo.git('show', 'main:.countersign/config.yaml');
    const linked = before.replace('phases: {', 'phases: {trees: ../linked, ');
    stage.s.repo.commit({ '.countersign/config.yaml': linked });
    const [phase = ''] = await stage.plan('A');
    const agent = await stage.deploy(phase);
    stage.s.repo.commit({ '.countersign/config.yaml': before });
    await stage.s.say(agent, 'agent', 'progress', 'completed', '--message', 'nothing to do');
    await stage.verdict(phase, 'approve');
    const [reviewer] = (await stage.review(phase)).reviewers;
    for (const run of [agent, reviewer?.agent_id ?? '']) await stage.strike(run);
    await stage.must('', 'tick');
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(stage.s.repo.git('branch', '--list', `${await branchOf(phase)}.*`)).toBe('');
  });
});

describe('what an agent built', () => {
  it('is brought in by its own word alone: whoever is refused moves no branch', async () => {
    const [phase = ''] = await stage.plan('A');
    const [one, two] = [await stage.deploy(phase), await stage.deploy(phase)];
    const branch = await branchOf(phase);
    const before = stage.s.repo.git('rev-parse', branch);
    stage.commit(one);
    for (const by of ['', LEAD, 'mallory', two]) {
      const said = await stage.s.say(by, 'agent', 'progress', 'completed', '--agent', one);
      expect([by, said.code === 0, stage.s.repo.git('rev-parse', branch)]).toEqual([by, false, before]);
    }
    expect((await stage.completes(one)).code).toBe(0);
    expect(stage.s.repo.git('rev-parse', branch)).not.toBe(before);
  });

  it('is not left behind where the branch of its task is taken away in the middle of a phase', async () => {
    const [phase = ''] = await stage.plan('A');
    const [one, two] = [await stage.deploy(phase), await stage.deploy(phase)];
    await stage.completes(one);
    const branch = await branchOf(phase);
    const commit = stage.s.repo.git('rev-parse', branch).trim();
    stage.s.repo.git('branch', '-D', branch);
    const said = await stage.completes(two);
    expect(said.code).toBe(3);
    expect(missing(said)).toContain(`git branch ${branch} ${commit.slice(0, 12)}`);
    stage.s.repo.git('branch', branch, commit);
    expect((await stage.completes(two)).code).toBe(0);
    expect(stage.s.repo.git('merge-base', '--is-ancestor', commit, branch)).toBe('');
  });

  it('comes to where the branch of its task is checked out as well, and takes nothing away there', async () => {
    const { repo } = stage.s;
    const [phase = ''] = await stage.plan('A');
    const [one, two] = [await stage.deploy(phase), await stage.deploy(phase)];
    repo.git('checkout', '-q', await branchOf(phase));
    try {
      expect((await stage.completes(one, { 'seen.txt': 'one\n' })).code).toBe(0);
      expect(repo.git('status', '--porcelain', '-uno')).toBe('');
      expect(existsSync(join(repo.top, 'seen.txt'))).toBe(true);
      writeFileSync(join(repo.top, 'mine.txt'), 'mine\n');
      const said = await stage.completes(two, { 'mine.txt': 'theirs\n' });
      expect(said.code).toBe(3);
      expect(missing(said)).toContain(`is checked out in ${repo.top}`);
      rmSync(join(repo.top, 'mine.txt'));
      const again = await stage.s.say(two, 'agent', 'progress', 'completed', '--message', 'again');
      expect(again.code).toBe(0);
    } finally {
      repo.git('checkout', '-q', 'main');
    }
  });

  it('is looked for where it committed: on another branch than its own it is not complete', async () => {
    const [phase = ''] = await stage.plan('A');
    const agent = await stage.deploy(phase);
    const tree = join(stage.trees, agent);
    runIn(tree, ['checkout', '-q', '-b', `feature/${agent}`]);
    const said = await stage.completes(agent);
    expect(said.code).toBe(3);
    expect(missing(said)).toContain(`stands on feature/${agent}`);
    runIn(tree, ['checkout', '-q', `${await branchOf(phase)}.${agent}`]);
    runIn(tree, ['merge', '-q', `feature/${agent}`]);
    expect((await stage.completes(agent)).code).toBe(0);
  });
});

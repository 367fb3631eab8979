import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, type Crew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { answered, approved, commits, crewAt, TASK } from './walk.ts';

let crew: Crew;
const top = () => crew.session.repo.top;
const open = async (command: string) => failing(await gateOf(crew, command));

describe('from the review to the landing', () => {
  beforeAll(async () => {
    crew = await crewAt('REVIEW');
  });
  afterAll(() => crew.close());

  test('PROTO-07, PROTO-15: the checks ran on the very commit, and are on record', async () => {
    const run = (await crew.session.events('T-1')).find(
      (e) => e.type === 'recorded' && e.kind === 'proof-pack',
    );
    expect(run).toMatchObject({ outcome: 'PASSED' });
    const trail = JSON.parse(readFileSync(join(crew.tasks, TASK, 'audit-trail.json'), 'utf8'));
    expect(trail.build_verifications).toEqual([
      expect.objectContaining({ command: 'countersign verify', result: 'SUCCESS' }),
    ]);
  });

  test('PROTO-08, PROTO-16: it takes the word of each required agent, and who has not given it is named', async () => {
    for (const agent of AGENTS.slice(0, 2)) await answered(crew, agent, 'APPROVED');
    const refused = await crew.go('task', 'present', TASK);
    expect(refused.code).not.toBe(0);
    expect(JSON.stringify(refused.error.missing)).toContain('tester');
  });

  test('PROTO-08: a stakeholder that is no agent of the task has no word on it', async () => {
    for (const word of ['APPROVED', 'REJECTED']) {
      const said = await crew.say(crew.code, 'security', '', 'task', 'status', TASK, word, '--reason', 'x');
      expect([said.code, said.error.message]).toEqual([
        2,
        expect.stringContaining('security is no agent of'),
      ]);
    }
  });

  test('PROTO-140: a rejection leads back to the building, and its round of verdicts is over', async () => {
    await crew.go('task', 'invoke', TASK, '--agent', 'tester');
    const without = await crew.say(crew.code, 'tester', '', 'task', 'status', TASK, 'REJECTED');
    expect(without.code).toBe(2);
    const said = await crew.say(
      crew.code,
      'tester',
      '',
      'task',
      'status',
      TASK,
      'REJECTED',
      '--reason',
      'no test of leap years',
    );
    expect(said.code).toBe(0);
    const twice = await crew.say(crew.code, 'tester', '', 'task', 'status', TASK, 'APPROVED');
    expect(twice.code).not.toBe(0);
    expect((await crew.go('task', 'present', TASK)).code).not.toBe(0);
    const back = await crew.go('task', 'rework', TASK, '--reason', 'no test of leap years');
    expect(back.data.status).toBe('IMPLEMENTATION');
    for (const agent of AGENTS) {
      if (agent === 'tester') {
        commits(crew, agent, { 'leap.js': '1;\n' });
      }
      await answered(crew, agent);
    }
    await crew.go('task', 'merge', TASK, 'tester');
    expect((await crew.go('task', 'validate', TASK)).data.status).toBe('VALIDATION');
    expect((await crew.go('verify', 'T-1')).code).toBe(0);
    expect(await open('present')).toEqual(['review']);
    for (const agent of AGENTS) await answered(crew, agent, 'APPROVED');
    expect((await crew.go('task', 'present', TASK)).data.status).toBe('AWAITING_USER_APPROVAL');
  });

  test('PROTO-118: a branch that moved after it was shown is not what was approved', async () => {
    await approved(crew);
    const shown = crew.git(crew.code, 'rev-parse', 'HEAD').trim();
    crew.write(join(crew.code, 'late.js'), '1;\n');
    crew.git(crew.code, 'add', '-A');
    crew.git(crew.code, 'commit', '-q', '-m', 'late');
    const refused = await crew.go('task', 'complete', TASK);
    expect(refused.code).not.toBe(0);
    expect(JSON.stringify(refused.error.missing)).toContain(`has moved from ${shown.slice(0, 12)}`);
    crew.git(crew.code, 'reset', '-q', '--hard', shown);
    expect((await crew.go('task', 'complete', TASK)).data.status).toBe('COMPLETE');
  });

  test('PROTO-80, PROTO-82: while another session holds the main working tree nothing lands, and nobody is overridden', async () => {
    const before = crew.git(top(), 'rev-parse', 'main');
    await crew.say(top(), 'lead', 's-2', 'lease', 'take', 'main');
    const refused = await crew.go('task', 'land', TASK);
    expect(refused.code).not.toBe(0);
    expect(refused.error.message).toContain('held by session s-2');
    expect(refused.error.hint).toContain('wait for it, or take other work');
    expect(crew.git(top(), 'rev-parse', 'main')).toBe(before);
    await crew.say(top(), 'lead', 's-2', 'lease', 'release', 'main');
  });

  test('PROTO-17, PROTO-276: what has not landed is not cleaned up', async () => {
    expect(await open('clean')).toEqual(['landed']);
    expect((await crew.go('task', 'tidy', TASK)).code).not.toBe(0);
    expect(existsSync(crew.code)).toBe(true);
  });

  test('PROTO-81: the main working tree is given back, also where the landing fails', async () => {
    crew.write(join(top(), 'README.md'), 'half an edit\n');
    expect((await crew.go('task', 'land', TASK)).code).not.toBe(0);
    expect((await crew.say(top(), 'lead', '', 'lease', 'show', 'main')).data).toMatchObject({ holder: null });
    expect(readFileSync(join(top(), 'README.md'), 'utf8')).toBe('half an edit\n');
    expect(existsSync(join(crew.tasks, 'main/task.json'))).toBe(false);
    crew.git(top(), 'checkout', '-q', 'README.md');
  });

  test('PROTO-11, PROTO-239: it lands as one commit that holds the work and its entry in the list', async () => {
    const before = crew.git(top(), 'rev-parse', 'main').trim();
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect(crew.git(top(), 'rev-list', `${before}..main`).trim().split('\n')).toHaveLength(1);
    const changed = crew.git(top(), 'diff', '--name-only', before, 'main');
    for (const path of ['work.txt', 'quality.js', 'leap.js', 'todo.md']) expect(changed).toContain(path);
    const again = crew.git(top(), 'rev-parse', 'main');
    expect((await crew.go('task', 'land', TASK)).code).toBe(0);
    expect(crew.git(top(), 'rev-parse', 'main')).toBe(again);
    expect((await crew.go('task', 'clean', TASK)).data.status).toBe('CLEANUP');
  });

  test('PROTO-302: its folder holds the papers of a task', () => {
    const names = readdirSync(join(crew.tasks, TASK));
    expect(names).toEqual(
      expect.arrayContaining([
        ...['agents', 'audit-trail.json', 'code', 'state.json', 'task.json', 'task.md'],
        ...AGENTS.map((agent) => `${TASK}-${agent}-requirements.md`),
        'user-plan-approval-obtained.flag',
      ]),
    );
    for (const agent of AGENTS)
      expect(readdirSync(join(crew.tasks, TASK, 'agents', agent)).sort()).toEqual([
        ...['code', 'status.json', 'tree.env'],
      ]);
  });

  test('PROTO-12, PROTO-278: tidied up, no worktree, branch or lease is left, and the audit trail is', async () => {
    const trail = readFileSync(join(crew.tasks, TASK, 'audit-trail.json'), 'utf8');
    const done = await crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK);
    expect(done.code).toBe(0);
    expect(crew.git(top(), 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(crew.git(top(), 'branch', '--list', `*${TASK}*`)).toBe('');
    expect(existsSync(join(crew.tasks, TASK))).toBe(false);
    expect((await crew.say(top(), 'lead', '', 'lease', 'show', TASK)).data).toMatchObject({ holder: null });
    const kept = (done.data.archive as readonly string[]).find((path) => path.endsWith('audit-trail.json'));
    const archived = JSON.parse(readFileSync(kept ?? '', 'utf8'));
    const { commits: made, ...rest } = JSON.parse(trail);
    expect(archived).toMatchObject(rest);
    expect(archived.commits).toHaveLength(made.length);
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
    expect((await crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK)).code).toBe(0);
  });
});

describe('a main branch that moved meanwhile', () => {
  const CRITERIA = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
  - {id: alone, kind: command, run: [test, '!', -e, blocker.txt], report: {format: exit}}
`;
  beforeAll(async () => {
    crew = await crewAt('COMPLETE', { criteria: CRITERIA });
  });
  afterAll(() => crew.close());

  const onMain = (path: string, text: string): string => {
    crew.write(join(top(), path), text);
    crew.git(top(), 'add', path);
    crew.git(top(), 'commit', '-q', '-m', path);
    return crew.git(top(), 'rev-parse', 'main').trim();
  };

  test('what does not pass together with it does not land, and nothing is left of the try', async () => {
    const head = onMain('blocker.txt', 'in the way\n');
    const refused = await crew.go('task', 'land', TASK);
    expect(refused.code).toBe(2);
    expect(refused.error.message).toContain('together with what is on the main branch by now');
    expect(crew.git(top(), 'rev-parse', 'main').trim()).toBe(head);
    expect(crew.git(top(), 'status', '--porcelain', '-uno')).toBe('');
    expect((await crew.say(top(), 'lead', '', 'lease', 'show', 'main')).data).toMatchObject({ holder: null });
    expect(await open('clean')).toEqual(['landed']);
    expect(refused.error.hint).toContain(`countersign task request-change ${TASK}`);
    // A landing by hand, of just what did not pass, is none; nor is one that nobody had checked.
    const commit = crew.git(top(), 'rev-parse', `refs/heads/${TASK}`).trim();
    const tree = crew.git(top(), 'merge-tree', '--write-tree', 'main', commit).trim();
    const made = crew
      .git(top(), 'commit-tree', tree, '-p', 'main', '-m', `${TASK}\n\nVerified as ${commit}.`)
      .trim();
    crew.git(top(), 'merge', '-q', '--ff-only', made);
    expect(await open('clean')).toEqual(['landed']);
    expect((await crew.go('task', 'land', TASK)).code).toBe(2);
    expect((await crew.go('task', 'clean', TASK)).code).toBe(3);
    crew.git(top(), 'reset', '-q', '--hard', 'HEAD~2');
  });

  test('a conflict is told by its paths, and nothing is changed', async () => {
    const head = onMain('quality.js', 'something else\n');
    const refused = await crew.go('task', 'land', TASK);
    expect(refused.code).toBe(6);
    expect(refused.data.conflicts).toEqual(['quality.js']);
    expect(crew.git(top(), 'rev-parse', 'main').trim()).toBe(head);
    crew.git(top(), 'reset', '-q', '--hard', 'HEAD^');
  });

  test('while another branch is checked out there, nothing lands', async () => {
    crew.git(top(), 'checkout', '-q', '-b', 'aside');
    const refused = await crew.go('task', 'land', TASK);
    expect(refused.error.message).toContain('aside');
    crew.git(top(), 'checkout', '-q', 'main');
  });

  test('PROTO-239: what passes together with it lands as one commit on top, and the task ends', async () => {
    const head = onMain('neighbour.txt', 'beside it\n');
    const before = await crew.go('task', 'land', TASK);
    expect(before.code).toBe(0);
    expect(crew.git(top(), 'rev-parse', 'main^').trim()).toBe(head);
    expect(crew.git(top(), 'ls-files')).toContain('neighbour.txt');
    expect(crew.git(top(), 'ls-files')).toContain('work.txt');
    onMain('work.txt', 'done, and changed since\n');
    expect((await crew.go('task', 'clean', TASK)).data.status).toBe('CLEANUP');
  });
});

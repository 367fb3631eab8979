import { chmodSync, copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { type Desk, documentOf, emptyDesk, type Program, type Told } from './program.ts';

let program: Program;
let desk: Desk;
eachAtADesk((opened, built) => {
  desk = opened;
  program = built;
});

interface Condition {
  readonly name: string;
  readonly status: string;
  readonly says: string;
  readonly next: string;
}
const conditions = (told: Told) => documentOf(told).data.conditions as readonly Condition[];
const condition = (name: string, told: Told = desk.run('--json', 'doctor')) =>
  conditions(told).find((c) => c.name === name);
const place = () => {
  const folder = join(desk.state, 'countersign');
  return join(folder, readdirSync(folder)[0] ?? '');
};

it('finds nothing to mend in a repository that was set up', () => {
  const said = desk.say('doctor');
  expect(said).toMatchObject({ code: 0, data: { healthy: true, level: 'cooperative' } });
  const found = conditions(said);
  expect(found.filter((c) => c.status === 'fail')).toEqual([]);
  expect(found.map((c) => c.name)).toEqual([
    ...['node', 'git', 'repository', 'store', 'private files', 'keys', 'tokens', 'configuration', 'criteria'],
    ...['clock', 'projections', 'claude-code', 'gate', 'isolation', 'protection'],
  ]);
});

it('claims no more than cooperative protection, and says what is not promised', () => {
  const level = condition('protection');
  expect(level?.status).toBe('warn');
  expect(level?.says).toMatch(/cooperative.*Not promised/);
});

it('gives every warning and failure a next step', () => {
  desk.run('actor', 'add', 'builder', '--role', 'specialist');
  for (const c of conditions(desk.run('--json', 'doctor'))) expect(c.next === '').toBe(c.status === 'ok');
  expect(condition('tokens')).toMatchObject({ status: 'warn', next: 'run: countersign token issue builder' });
});

it.each([
  ['state folder', () => join(desk.repo.top, '.git/countersign')],
  ['store', () => join(desk.repo.top, '.git/countersign/store.db')],
])('fails when others can reach the %s', (_, path) => {
  chmodSync(path(), 0o755);
  const told = desk.run('--json', 'doctor');
  expect(told.code).toBe(3);
  expect(condition('private files', told)).toMatchObject({
    status: 'fail',
    next: expect.stringContaining('chmod'),
  });
});

it('fails when a key is gone or is not the one of the repository', () => {
  const keys = join(place(), 'keys');
  const other = emptyDesk(program);
  try {
    other.runIn(other.repo.top, ['init'], { XDG_STATE_HOME: join(desk.repo.root, 'other') });
    const folder = join(desk.repo.root, 'other', 'countersign');
    const foreign = join(folder, readdirSync(folder)[0] ?? '', 'keys', 'runner.pem');
    rmSync(join(keys, 'runner.pem'));
    expect(condition('keys')).toMatchObject({ status: 'fail', says: expect.stringContaining('runner.pem') });
    copyFileSync(foreign, join(keys, 'runner.pem'));
    expect(condition('keys')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('believed by nobody'),
    });
  } finally {
    other.remove();
  }
});

it('fails on criteria and configuration that cannot be used, and names the problems', () => {
  desk.repo.git('checkout', '-q', 'main');
  desk.repo.commit({
    '.countersign/criteria/default.yaml': 'schema: countersign/criteria/1\nname: default\nchekcs: []\n',
    '.countersign/config.yaml': 'setings: {}\n',
  });
  const told = desk.run('--json', 'doctor');
  expect(told.code).toBe(3);
  expect(condition('configuration', told)).toMatchObject({
    status: 'fail',
    says: expect.stringContaining('setings'),
  });
  desk.repo.commit({ '.countersign/config.yaml': '{}\n' });
  expect(condition('criteria')).toMatchObject({ status: 'fail', says: expect.stringContaining('chekcs') });
});

it('warns while nothing is committed, and leads to the commit', () => {
  const fresh = emptyDesk(program);
  try {
    fresh.run('init');
    const told = fresh.run('--json', 'doctor');
    expect(told.code).toBe(0);
    expect(condition('criteria', told)).toMatchObject({
      status: 'warn',
      next: expect.stringMatching(/^run: countersign criteria init, then commit /),
    });
    expect(condition('configuration', told)?.next).toContain('git commit');
  } finally {
    fresh.remove();
  }
});

it('fails before init and outside of a repository, with the way on', () => {
  const fresh = emptyDesk(program);
  try {
    const before = fresh.run('--json', 'doctor');
    expect(before.code).toBe(3);
    expect(condition('store', before)).toMatchObject({ status: 'fail', next: 'run: countersign init' });
    const outside = fresh.runIn(fresh.repo.root, ['--json', 'doctor']);
    expect(outside.code).toBe(3);
    expect(condition('repository', outside)).toMatchObject({ status: 'fail', next: 'run: git init' });
  } finally {
    fresh.remove();
  }
});

it('fails when git is missing', () => {
  const told = desk.runIn(desk.repo.top, ['--json', 'doctor'], { PATH: '/nonexistent' });
  expect(told.code).toBe(3);
  expect(condition('git', told)).toMatchObject({ status: 'fail', next: 'install git' });
});

it('sends nobody to make a repository where there is a bare one', () => {
  desk.repo.git('config', 'core.bare', 'true');
  expect(condition('repository')).toMatchObject({
    status: 'fail',
    next: 'run: git worktree add FOLDER, and work in that folder',
  });
  expect(desk.run('list')).toMatchObject({
    code: 5,
    err: expect.stringContaining('next: run: git worktree add'),
  });
});

it('recommends an audit for a damaged store, but not to whoever makes one', () => {
  writeFileSync(
    join(desk.repo.top, '.git/countersign/store.db'),
    'no database at all, and long enough to be read as one'.repeat(40),
  );
  expect(desk.run('list').err).toContain(
    'next: run: countersign audit verify, or restore the store from a copy',
  );
  const audit = desk.run('audit', 'verify');
  expect([audit.code, audit.out]).toEqual([1, expect.stringContaining('restore the store from a copy')]);
  expect(audit.out).not.toContain('audit verify');
});

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { type Desk, emptyDesk } from './program.ts';

let desk: Desk;
eachAtADesk((given) => {
  desk = given;
}, emptyDesk);

const CONFIG_FILE = '.countersign/config.yaml';
const CRITERIA_FILE = '.countersign/criteria/default.yaml';
const there = (path: string) => existsSync(join(desk.repo.top, path));

it('refuses outside a git repository and says how to fix it', () => {
  const told = desk.runIn(desk.repo.root, ['init']);
  expect(told.code).toBe(5);
  expect(told.err).toContain('git init');
});

it('works in an empty repository without commits, and is never asked for again afterwards', () => {
  const first = desk.run('init', '--owner', 'ada');
  expect(first.code).toBe(0);
  expect([there(CONFIG_FILE), there(CRITERIA_FILE)]).toEqual([true, false]);
  for (const words of [['list'], ['next'], ['add', 'First thing'], ['doctor'], ['criteria', 'list']]) {
    const told = desk.run(...words);
    expect(`${told.out}${told.err}`).not.toContain('run: countersign init\n');
    expect(told.code).toBe(0);
  }
});

it('keeps the store closed to others, and the keys outside of the repository', () => {
  desk.run('init');
  const state = statSync(join(desk.repo.top, '.git/countersign'));
  expect(state.mode & 0o077).toBe(0);
  expect(statSync(join(desk.repo.top, '.git/countersign/store.db')).mode & 0o077).toBe(0);
  expect(existsSync(join(desk.state, 'countersign'))).toBe(true);
  expect(desk.repo.git('status', '--porcelain', '-uall')).not.toMatch(/pem|store/);
});

it('says what it would write with --dry-run, and writes nothing', () => {
  desk.repo.commit({ 'package.json': '{"scripts": {"test": "node --test"}}' });
  const told = desk.run('init', '--dry-run', '--owner', 'ada');
  expect(told.code).toBe(0);
  expect(told.out).toContain(`would write ${CRITERIA_FILE}`);
  expect(told.out).toContain('--test-reporter=tap');
  expect(there('.countersign') || there('.git/countersign') || existsSync(desk.state)).toBe(false);
});

it('is idempotent: a second time it says so and changes nothing', () => {
  desk.run('init');
  const before = readFileSync(join(desk.repo.top, CONFIG_FILE));
  desk.repo.write(CRITERIA_FILE, '# mine\n');
  const again = desk.say('init', '--owner', 'somebody-else');
  expect(again.code).toBe(0);
  expect(again.data).toMatchObject({ created: false, wrote: [] });
  expect(readFileSync(join(desk.repo.top, CONFIG_FILE))).toEqual(before);
  expect(readFileSync(join(desk.repo.top, CRITERIA_FILE), 'utf8')).toBe('# mine\n');
  expect(desk.run('init').out).toContain('already');
  expect(desk.run('actor', 'list').out).not.toContain('somebody-else');
});

it('proposes files that its own reader accepts', () => {
  desk.repo.commit({ 'go.mod': 'module x\n' });
  expect(desk.say('init').data).toMatchObject({ found: ['go-tests'] });
  desk.repo.commit({});
  const shown = desk.say('config', 'show', '--origin');
  expect(shown.code).toBe(0);
  expect(desk.say('criteria', 'list').data.criteria).toMatchObject([
    { problems: [], checks: [{ id: 'go-tests' }] },
  ]);
});

it('writes no criteria that hold no check, and says how to come by some', () => {
  desk.repo.commit({ 'README.md': '# x\n' });
  const told = desk.run('init');
  expect(told).toMatchObject({ code: 0, out: expect.stringMatching(/no criteria were written/) });
  expect(told.out).toContain(`write ${CRITERIA_FILE} by hand`);
  expect(there(CRITERIA_FILE)).toBe(false);
});

it('says nothing of checks where criteria are there already', () => {
  desk.repo.commit({ 'README.md': '# x\n', [CRITERIA_FILE]: 'name: default\n' });
  const told = desk.run('init');
  expect(told).toMatchObject({ code: 0, out: expect.stringMatching(/wrote \.countersign\/config\.yaml/) });
  expect(told.out).not.toMatch(/no criteria were written|recognised/);
});

it('works in a linked worktree, with one store for all', () => {
  desk.repo.commit({ 'README.md': '#' });
  desk.repo.git('worktree', 'add', '-q', '../linked');
  const linked = join(desk.repo.root, 'linked');
  expect(desk.runIn(linked, ['init']).code).toBe(0);
  expect(desk.runIn(linked, ['add', 'From the linked one']).code).toBe(0);
  expect(desk.run('list').out).toContain('From the linked one');
  expect(desk.say('init').data).toMatchObject({ created: false });
});

it('registers a builder and a verifier with tokens, once', () => {
  const told = desk.say('init', '--agents', 'builder,verifier');
  expect(told.data.agents).toMatchObject([
    { id: 'builder', role: 'specialist', created: true },
    { id: 'verifier', role: 'verification-agent', created: true },
  ]);
  expect(desk.run('--actor', 'builder', 'next').code).toBe(0);
  const token = desk.say('token', 'list').data.tokens;
  expect(token).toHaveLength(2);
  const again = desk.say('init', '--agents', 'builder,verifier');
  expect(again.data.agents).toMatchObject([{ created: false }, { created: false }]);
  expect(desk.say('token', 'list').data.tokens).toEqual(token);
});

it.each([['one'], ['a,a'], ['a,'], ['a,b,c']])('does not take --agents %s', (names) => {
  expect(desk.run('init', '--agents', names).code).toBe(2);
  expect(there('.git/countersign')).toBe(false);
});

it.each(['Ada', 'engine', '', 'a b', '../x'])(
  'does not take the owner %j, before anything is made',
  (owner) => {
    const told = desk.run('init', '--owner', owner);
    expect(told.code).toBe(2);
    expect(told.err).toContain('countersign init --owner');
    expect(there('.git/countersign')).toBe(false);
  },
);

it('writes through no link that leads out of the working tree', () => {
  const outside = join(desk.repo.root, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(desk.repo.top, '.countersign'));
  const told = desk.run('init');
  expect(told.code).toBe(2);
  expect(existsSync(join(outside, 'config.yaml'))).toBe(false);
});

it('does not read a link as the manifest of the project', () => {
  writeFileSync(join(desk.repo.root, 'secret.json'), '{"scripts": {"test": "vitest"}}');
  symlinkSync(join(desk.repo.root, 'secret.json'), join(desk.repo.top, 'package.json'));
  expect(desk.say('init').data).toMatchObject({ found: [] });
});

it('says of a store that was taken away what it left, wherever it is asked for', () => {
  desk.run('init', '--owner', 'ada');
  const state = join(desk.repo.top, '.git/countersign');
  mkdirSync(join(state, 'proofpacks'), { recursive: true });
  for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) rmSync(join(state, name), { force: true });
  for (const words of [['list'], ['audit', 'verify']]) {
    const told = desk.run(...words);
    expect(told.code).toBe(words[0] === 'audit' ? 2 : 8);
    expect(`${told.out}${told.err}`).toContain('is gone, and what it named is still in');
  }
  expect(desk.run('list').err).toContain('bring ');
  const again = desk.run('init', '--owner', 'ada');
  expect(again.code).toBe(0);
  expect(`${again.out}${again.err}`).toContain('is gone, and what it named is still in');
});

it('says so of a store that went with its folder, when a checkpoint of it is anchored', () => {
  desk.run('init', '--owner', 'ada');
  expect(desk.run('audit', 'checkpoint', '--anchor').code).toBe(0);
  rmSync(join(desk.repo.top, '.git/countersign'), { recursive: true });
  const left = 'is gone, and what it named is still in refs/countersign/checkpoints';
  expect(desk.run('list')).toMatchObject({ code: 8, err: expect.stringContaining(left) });
  const again = desk.run('init', '--owner', 'ada');
  expect(again.code).toBe(0);
  expect(`${again.out}${again.err}`).toContain(left);
  expect(desk.run('list').code).toBe(0);
});

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadItem } from '../../src/engine/handle.ts';
import { raw } from '../audit/tamper.ts';
import { openSession, type Session, type Setting } from '../session.ts';
import { DEVELOPER } from './bring.ts';

// Work counts once: for the item that it was verified for, and for none that is built on top of it.
const PATH = '.countersign/criteria/default.yaml';
const asks = (file: string) =>
  `schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: there, kind: file, path: ${file}}\n`;
const KINDS = `${asks('easy.txt')}  - {id: change, kind: diff}\n`;

let s: Session;
let main = '';
/** What happens while the next run goes on. */
let meanwhile: (() => Promise<unknown>) | undefined;
const wrap: Setting['wrap'] = (ports) => ({
  ...ports,
  runner: {
    ...ports.runner,
    async run(question) {
      const first = meanwhile;
      meanwhile = undefined;
      await first?.();
      return ports.runner.run(question);
    },
  },
});
beforeEach(async () => {
  meanwhile = undefined;
  s = await openSession({
    ...{ criteria: KINDS, files: { 'easy.txt': 'there\n', 'src/a.js': 'export {};\n' } },
    wrap,
  });
  main = s.repo.git('rev-parse', 'main');
});
afterEach(() => s.close());

/** A clone whose commits go to a local main that nobody pushes. */
function asClone(): void {
  s.repo.git('update-ref', 'refs/remotes/origin/main', main);
  s.repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  s.repo.git('checkout', '-q', 'main');
}

async function add(...more: readonly string[]): Promise<string> {
  const { id } = (await s.say('orchestrator', 'add', 'Do a thing', ...more)).data;
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  return id;
}

const code = (name = 'a') => s.repo.commit({ [`src/${name}.js`]: `export const ${name} = 1;\n` });
const words = () => s.repo.commit({ 'docs/use.md': '# Use\n' });
const claim = (id: string, ...more: readonly string[]) => s.say(DEVELOPER, 'claim', id, ...more);
const verify = (id: string) => s.say('verification-agent', 'verify', id);

async function verdict(id: string): Promise<number> {
  expect((await claim(id)).code).toBe(0);
  return (await verify(id)).code;
}

/** The facts of the last step of a command. */
const factsOf = (id: string, command = 'claim') =>
  s.with(async ({ ports }) => {
    const { item } = await loadItem(ports, id);
    return item.steps.findLast((step) => step.command === command)?.facts ?? {};
  });

async function first(): Promise<{ readonly id: string; readonly commit: string }> {
  const id = await add();
  const commit = code();
  expect(await verdict(id)).toBe(0);
  return { id, commit };
}

test('the same change counts once, under whatever commit it comes', async () => {
  const { id } = await first();
  s.repo.git('commit', '-q', '--amend', '-m', 'the same under another name');
  const amended = await add();
  const said = await claim(amended);
  expect(said.error.missing[0]?.because).toContain(`the same change was verified for ${id} already`);
  s.repo.git('checkout', '-q', '-b', 'again', main);
  s.repo.git('cherry-pick', '--no-commit', 'work');
  s.repo.git('commit', '-q', '-m', 'picked');
  expect((await claim(amended)).code).toBe(3);
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('a change that takes verified work back is another one, though its tree is known', async () => {
  const { commit } = await first();
  const more = await add();
  code('b');
  expect(await verdict(more)).toBe(0);
  const back = await add();
  s.repo.git('rm', '-q', 'src/b.js');
  s.repo.git('commit', '-q', '-m', 'without b');
  expect(s.repo.git('rev-parse', 'HEAD^{tree}')).toBe(s.repo.git('rev-parse', `${commit}^{tree}`));
  expect((await claim(back)).code).toBe(0);
});

test('a docs item on top of verified code that is not pushed is charged with its own paths', async () => {
  asClone();
  const { commit } = await first();
  const id = await add('--kind', 'docs');
  words();
  expect(await verdict(id)).toBe(0);
  expect(await factsOf(id)).toMatchObject({ base: commit, branch_base: main, changed: 1 });
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('the same on a branch that was begun there, also with several commits and several items below', async () => {
  await first();
  const second = await add();
  const commit = code('b');
  expect(await verdict(second)).toBe(0);
  const id = await add('--kind', 'docs');
  await s.say(DEVELOPER, 'start', id);
  expect(await factsOf(id, 'start')).toMatchObject({ base: main, verified_base: commit });
  words();
  s.repo.commit({ 'docs/more.md': '# More\n' });
  await s.say(DEVELOPER, 'start', id);
  expect(await verdict(id)).toBe(0);
  expect(await factsOf(id)).toMatchObject({ base: commit, branch_base: main, changed: 2 });
});

test('what was verified while an item was under way is not charged to it', async () => {
  const id = await add('--kind', 'docs');
  await s.say(DEVELOPER, 'start', id);
  const { commit } = await first();
  words();
  expect(await verdict(id)).toBe(0);
  expect(await factsOf(id)).toMatchObject({ base: commit, changed: 1 });
});

test('a code item that only adds words is not verified by the code below it', async () => {
  await first();
  const id = await add();
  words();
  expect(await verdict(id)).toBe(4);
  expect(await factsOf(id)).toMatchObject({ changed: 1 });
});

test('a commit is verified for one item, and another one claims its own or no change', async () => {
  const { commit } = await first();
  const id = await add();
  const refused = await claim(id);
  expect(refused.code).toBe(3);
  const [missing] = refused.error.missing;
  expect(missing?.because).toContain(`${commit.slice(0, 12)} was verified for T-1 already`);
  expect(missing?.fix).toContain('--no-change');
  expect((await claim(id, '--commit', commit)).code).toBe(3);
  s.repo.write('seen.txt', 'seen\n');
  expect((await claim(id, '--no-change', '--evidence', 'seen.txt')).code).toBe(0);
});

test('the same among several commits', async () => {
  const one = await add();
  code();
  code('b');
  expect(await verdict(one)).toBe(0);
  expect((await claim(await add())).error.missing[0]?.because).toContain('verified for T-1 already');
});

test('a commit that was claimed for two items is verified for the first that asks', async () => {
  const one = await add();
  const two = await add();
  code();
  await claim(one);
  await claim(two);
  expect((await verify(one)).code).toBe(0);
  const second = await verify(two);
  expect(second.code).toBe(3);
  expect(JSON.stringify(second)).toContain('was verified for T-1 already');
  expect((await s.say('orchestrator', 'release', two)).code).toBe(0);
});

test('the same where the other item passes while the checks run', async () => {
  const one = await add();
  const two = await add();
  code();
  await claim(one);
  await claim(two);
  meanwhile = async () => expect((await verify(one)).code).toBe(0);
  const second = await verify(two);
  expect(second.code).toBe(3);
  expect(second.error.message).toContain('was verified for T-1 already');
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
});

test('where the link to a pass was taken away or made up, nothing relies on it and audit tells', async () => {
  const path = join(s.repo.top, '.git/countersign/store.db');
  const { commit } = await first();
  const id = await add();
  const next = code('b');
  expect((await claim(id)).code).toBe(0);
  raw(path, (db) => db.exec(`UPDATE links SET target = '${next}' WHERE target = '${commit}'`));
  expect(JSON.stringify(await verify(id))).toContain('was not verified for another item');
  const told = (await s.say('', 'audit', 'verify')).out;
  expect(told).toContain('of the log is missing');
  expect(told).toContain('is not in the log');
});

test('a claim that is not verified, and one that failed, gives no base', async () => {
  const one = await add();
  s.repo.commit({ 'notes.md': '# Notes\n' });
  expect((await claim(one)).code).toBe(0);
  const two = await add();
  code();
  expect((await claim(two)).code).toBe(0);
  expect(await factsOf(two)).toMatchObject({ base: main, changed: 2 });
  expect((await verify(one)).code).toBe(4);
  const later = await s.say('orchestrator', 'add', 'Later', '--list', 'other');
  await s.say('orchestrator', 'dispatch', later.data.id, '--to', DEVELOPER);
  words();
  expect((await claim(later.data.id)).code).toBe(0);
  expect(await factsOf(later.data.id)).toMatchObject({ base: main, changed: 3 });
});

test('what lies between the base and that of the other item was judged by nobody, and is charged', async () => {
  s.repo.git('checkout', '-q', 'main');
  const two = await add();
  s.repo.commit({ 'between.txt': 'unseen\n' });
  await first();
  words();
  expect((await claim(two)).code).toBe(0);
  expect(await factsOf(two)).toMatchObject({ base: main, changed: 3 });
});

test('a verified commit without what the default branch brought since is no base', async () => {
  await first();
  s.repo.git('checkout', '-q', 'main');
  const newer = s.repo.commit({ 'guard.txt': 'kept\n' });
  const id = await add();
  s.repo.git('checkout', '-q', 'work');
  s.repo.git('merge', '-q', '-s', 'ours', '-m', 'merge', 'main');
  code('b');
  expect((await claim(id)).code).toBe(0);
  expect(await factsOf(id)).toMatchObject({ base: newer, changed: 3 });
});

test.each([
  ['claimed', false],
  ['started first', true],
])('criteria are those of the default branch, never of the commit below: %s', async (_, started) => {
  s.repo.git('checkout', '-q', 'main');
  const branch = s.repo.commit({ [PATH]: asks('hard.txt') });
  s.repo.git('checkout', '-q', '-B', 'work', 'main');
  const one = await add();
  const commit = s.repo.commit({ [PATH]: asks('easy.txt'), 'hard.txt': 'done\n' });
  expect(await verdict(one)).toBe(0);
  const two = await add();
  if (started) await s.say(DEVELOPER, 'start', two);
  s.repo.git('rm', '-q', 'hard.txt');
  s.repo.git('commit', '-q', '-m', 'without');
  expect(await verdict(two)).toBe(4);
  expect(await factsOf(two)).toMatchObject({
    base: commit,
    branch_base: branch,
    criteria: { commit: branch },
  });
});

test('where the default branch has no such criteria, those of the commit below are not taken', async () => {
  s.repo.git('checkout', '-q', 'main');
  const branch = s.repo.commit({ [PATH]: asks('easy.txt') });
  s.repo.git('checkout', '-q', '-B', 'work', 'main');
  const one = await add();
  s.repo.commit({
    '.countersign/criteria/own.yaml': asks('easy.txt').replace('default', 'own'),
    'src/a.js': '1;\n',
  });
  expect(await verdict(one)).toBe(0);
  const two = await add('--criteria', 'own');
  code('b');
  expect((await claim(two)).code).toBe(0);
  expect(await factsOf(two)).toMatchObject({ base: branch, criteria: null });
  expect((await verify(two)).code).not.toBe(0);
});

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { type Desk, documentOf, type Program } from './program.ts';

// Each of these was seen in a tool that keeps tasks for agents.

let program: Program;
let desk: Desk;
eachAtADesk((opened, built) => {
  desk = opened;
  program = built;
});

it('a blank title does not make every later list fail', () => {
  expect(desk.run('add', ' ').code).toBe(2);
  expect(desk.run('list').code).toBe(0);
});

it('a title of 100 KB does not brick the store', () => {
  expect(desk.run('add', 'x'.repeat(100_000)).code).toBe(2);
  expect(desk.run('add', 'Short').code).toBe(0);
  expect(desk.say('list').data.items).toHaveLength(1);
});

it.each(['release', 'complete', 'verify', 'claim', 'retry', 'start'])(
  '%s of an id that does not exist is no success',
  (command) => {
    const told = desk.run(command, 'T-77');
    expect(told.code).toBe(5);
    expect(told.out).toBe('');
    expect(told.err).toContain('T-77');
  },
);

it.each([
  ['list', '--category', 'foo'],
  ['list', '--state', 'foo'],
  ['add', 'Work', '--independence', 'foo'],
])('a misspelt name is not taken for none: %s %s', (...words) => {
  const told = desk.run(...words);
  expect([told.code, told.out]).toEqual([2, '']);
  expect(told.err).toContain('known: ');
});

it('a folder is no file to export into', () => {
  desk.run('add', 'Work');
  expect(desk.run('export', '--output', '.')).toMatchObject({
    code: 2,
    err: expect.stringContaining('name a file'),
  });
});

it('nothing is exported over the store', () => {
  desk.run('add', 'More work');
  const store = '.git/countersign/store.db';
  expect(desk.run('export', '--output', store)).toMatchObject({
    code: 2,
    err: expect.stringContaining('name a file elsewhere'),
  });
  expect(desk.run('list')).toMatchObject({ code: 0, out: expect.stringContaining('More work') });
});

it('doing nothing is not told as a success', () => {
  desk.repo.write('todo.json', '[]');
  const told = desk.run('import', 'todo', 'todo.json');
  expect(told.out).toContain('nothing to import');
  expect(told.out).not.toMatch(/\b0 opened/);
});

it('a recorded failed verification is not completed over', () => {
  desk.run('add', 'Work');
  desk.repo.commit({ 'work.txt': 'not yet\n' });
  desk.run('claim', 'T-1');
  expect(desk.say('verify', 'T-1')).toMatchObject({ code: 4, data: { verdict: 'BLOCKED' } });
  const said = desk.say('complete', 'T-1');
  expect(said).toMatchObject({ ok: false, code: 6, error: { state: 'blocked' } });
  expect(said.error.message).toContain('failed verifications remain');
  expect(desk.say('show', 'T-1').data.status).toBe('blocked');
});

it('an agent cannot give the word that only a person may give', () => {
  desk.run('add', 'Work');
  desk.run('actor', 'add', 'boss', '--role', 'workflow-orchestrator', '--role', 'specialist');
  desk.run('token', 'issue', 'boss');
  const asBoss = (...words: readonly string[]) => documentOf(desk.run('--json', '--actor', 'boss', ...words));
  expect(asBoss('criteria', 'adopt', 'default')).toMatchObject({ code: 7, ok: false });
  // Nor can the person's own name without a terminal: nobody could have been asked.
  expect(desk.say('criteria', 'adopt', 'default')).toMatchObject({ code: 7, ok: false });
  expect(asBoss('actor', 'roles', 'boss', '--role', 'verification-agent')).toMatchObject({ code: 7 });
});

it('no id is given to two agents at once', async () => {
  const one = (n: number) =>
    new Promise<string>((resolve) => {
      const env = { ...process.env, XDG_STATE_HOME: desk.state };
      const words = [program.path, '--json', 'add', `Thing ${n}`];
      const child = spawn(process.execPath, words, { cwd: desk.repo.top, env });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      child.on('close', () => resolve(out));
    });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => one(n)));
  const ids = answers.map((out) => (JSON.parse(out) as { data: { id: string } }).data.id);
  expect(new Set(ids).size).toBe(8);
  expect(desk.say('list').data.items).toHaveLength(8);
});

it('init is not followed by "please run init"', () => {
  for (const words of [['next'], ['list'], ['add', 'x'], ['show', 'T-1'], ['doctor'], ['init']]) {
    const told = desk.run(...words);
    expect(told.code).toBe(0);
    expect(`${told.out}${told.err}`).not.toContain('run: countersign init');
  }
});

it('a damaged store is reported and not written over by the next command', async () => {
  const { readFileSync, writeFileSync } = await import('node:fs');
  desk.run('add', 'Precious');
  const path = join(desk.repo.top, '.git/countersign/store.db');
  for (const end of ['-wal', '-shm']) if (existsSync(`${path}${end}`)) writeFileSync(`${path}${end}`, '');
  writeFileSync(path, 'not a database, but somebody cares for it'.repeat(100));
  const before = readFileSync(path);
  for (const words of [['add', 'Next'], ['init'], ['list'], ['doctor']]) {
    const told = desk.run(...words);
    expect(told.code).not.toBe(0);
    expect(`${told.out}${told.err}`).toContain('store.db');
  }
  expect(readFileSync(path)).toEqual(before);
});

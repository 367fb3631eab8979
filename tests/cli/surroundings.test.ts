import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { type Desk, documentOf, emptyDesk, openDesk, type Program } from './program.ts';

// What a machine may lack, and several commands at once: each is told plainly, with a next step.
let program: Program;
let desk: Desk;
eachAtADesk((given, built) => {
  desk = given;
  program = built;
}, emptyDesk);

it('is set up by several at once: one store, and every one of them succeeds', async () => {
  desk.repo.commit({ 'README.md': '#' });
  const one = () =>
    new Promise<number | null>((resolve) => {
      const env = { ...process.env, XDG_STATE_HOME: desk.state };
      const child = spawn(process.execPath, [program.path, 'init'], {
        cwd: desk.repo.top,
        env,
        stdio: 'ignore',
      });
      child.on('close', resolve);
    });
  expect(await Promise.all(Array.from({ length: 6 }, one))).toEqual([0, 0, 0, 0, 0, 0]);
  expect(existsSync(join(desk.repo.top, '.countersign/config.yaml'))).toBe(true);
});

it.each([
  ['claim', 'T-1'],
  ['criteria', 'show'],
  ['criteria', 'adopt', 'default'],
])('%s %s in a repository without commits says so', (...words) => {
  desk.run('init');
  desk.run('add', 'First');
  const { code, error } = documentOf(desk.run('--json', ...words));
  expect([code, error.message]).toEqual([5, 'this repository has no commit yet']);
  expect(error.hint).toContain('commit');
});

it('says what helps without git, without the file to import, and for a commit that is not there', () => {
  const set = openDesk(program);
  set.run('add', 'First');
  const env = { PATH: '/nonexistent' };
  const without = documentOf(set.runIn(set.repo.top, ['--json', 'claim', 'T-1'], env));
  expect(without).toMatchObject({
    code: 8,
    error: { code: 'GIT_MISSING', hint: expect.stringContaining('install git') },
  });
  const { conditions } = documentOf(set.runIn(set.repo.top, ['--json', 'doctor'], env)).data as {
    conditions: { status: string; next: string }[];
  };
  const failed = conditions.filter((c) => c.status === 'fail');
  expect(failed.map((c) => c.next)).toEqual(Array(4).fill('install git'));
  expect(set.run('import', 'todo', 'none.json').err).toMatch(/there is no file none.json\nnext: name a file/);
  expect(set.run('claim', 'T-1', '--commit', 'f'.repeat(40)).err).toContain('next: see which commits');
  set.remove();
});

it('doctor names the state folder that is gone', () => {
  const set = openDesk(program);
  rmSync(set.state, { recursive: true });
  const told = set.run('doctor');
  expect(told.code).toBe(3);
  expect(told.out).toMatch(/private files .*is gone.*\n +next: restore it/);
  expect(told.out).not.toContain('ENOENT');
  set.remove();
});

it('a state folder that cannot be made lets init fail without a trace', () => {
  desk.repo.write('.git/countersign', 'in the way');
  const told = desk.run('init');
  expect(told.code).toBe(8);
  expect(told.err).toContain('next: ');
  expect(told.err).not.toMatch(/\n +at /);
});

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import type { Desk, Program } from './program.ts';

let desk: Desk;
let program: Program;
eachAtADesk((opened, built) => {
  desk = opened;
  program = built;
});

it.each([
  ['a folder', '.'],
  ['something below a file', 'README.md/log.jsonl'],
  ['a name that is too long', `${'x'.repeat(300)}.jsonl`],
])('an export to %s is a usage error', (_, path) => {
  desk.repo.commit({ 'README.md': 'here\n' });
  for (const more of [[], ['--todo']]) {
    const said = desk.say('export', ...more, '--output', join(desk.repo.top, path));
    expect(said).toMatchObject({ code: 2, error: { code: 'BAD_INPUT', hint: 'name a file' } });
  }
  expect(desk.repo.git('status', '--porcelain')).not.toContain('.part');
});

it('a pipe gets the export and stays a pipe', async () => {
  const pipe = join(desk.repo.root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  let read = '';
  reader.stdout.on('data', (chunk) => {
    read += String(chunk);
  });
  const ended = new Promise((resolve) => reader.on('close', resolve));
  expect(desk.say('export', '--output', pipe).code).toBe(0);
  await ended;
  expect(read.split('\n').at(-2)).toContain('"trailer"');
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

it('standard output that is a pipe can be named as a file', () => {
  const line = '"$1" "$0" export --output /dev/stdout | cat';
  const told = spawnSync('bash', ['-o', 'pipefail', '-c', line, program.path, process.execPath], {
    cwd: desk.repo.top,
    env: { PATH: process.env.PATH, HOME: desk.repo.root, XDG_STATE_HOME: desk.state },
    encoding: 'utf8',
  });
  expect([told.status, told.stdout]).toEqual([0, expect.stringContaining('"trailer"')]);
});

it('a pipe that nobody reads to the end is no defect', () => {
  const line = '{ "$1" "$0" export --output /dev/stdout; echo "ends with $?" >&2; } | true';
  const told = spawnSync('bash', ['-c', line, program.path, process.execPath], {
    cwd: desk.repo.top,
    env: { PATH: process.env.PATH, HOME: desk.repo.root, XDG_STATE_HOME: desk.state },
    encoding: 'utf8',
  });
  expect(told.stderr).toContain('nobody reads /dev/stdout any more');
  expect(told.stderr).toContain('ends with 8');
});

it('what a link leads to gets the export, and the store behind a link does not', () => {
  const [target, link, wrong] = ['target.jsonl', 'link', 'wrong'].map((name) =>
    join(desk.repo.root, name),
  ) as [string, string, string];
  writeFileSync(target, 'old');
  symlinkSync(target, link);
  expect(desk.say('export', '--output', link).code).toBe(0);
  expect([lstatSync(link).isSymbolicLink(), readFileSync(target, 'utf8').includes('"trailer"')]).toEqual([
    true,
    true,
  ]);
  symlinkSync(join(desk.repo.top, '.git/countersign/store.db'), wrong);
  expect(desk.say('export', '--output', wrong)).toMatchObject({ code: 2, error: { code: 'BAD_INPUT' } });
  expect(desk.run('list').code).toBe(0);
});

import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { type Ground, openGround } from './ground.ts';

let program: Program;
let ground: Ground;
beforeAll(() => {
  program = buildProgram();
  ground = openGround(program);
});
afterAll(() => {
  ground.remove();
  program.remove();
});
afterEach(() => ground.reset());

const gate = () => {
  const { data } = ground.desk.say('doctor');
  return (data.conditions as { name: string; status: string; says: string }[]).find(
    ({ name }) => name === 'gate',
  );
};

it('says that a remote on this machine is gated after its hook was seen to refuse', () => {
  expect(gate()).toMatchObject({
    status: 'ok',
    says: expect.stringMatching(
      /^origin is gated: armed for main: .* refused to delete refs\/heads\/main when it was tried/,
    ),
  });
});

it.each([
  [
    'https://user:secret@example.org/x.git',
    /cannot tell from here whether origin \(https:\/\/example.org\/x.git\)/,
  ],
  ['git@example.org:x.git', /cannot tell/],
  ['ssh://example.org/x.git', /cannot tell/],
  ['../nowhere.git', /cannot tell/],
])('cannot tell of %s', (url, says) => {
  ground.git('remote', 'set-url', 'origin', url);
  expect(gate()).toMatchObject({ status: 'warn', says: expect.stringMatching(says) });
});

it('says that a remote is not gated whose hook is not there, or is switched off', () => {
  const hook = join(ground.server, 'hooks/pre-receive');
  chmodSync(hook, 0o644);
  expect(gate()).toMatchObject({ status: 'fail', says: expect.stringContaining('not armed') });
  ground.git('init', '-q', '--bare', join(ground.desk.repo.root, 'plain.git'));
  ground.git('remote', 'set-url', 'origin', '../plain.git');
  expect(gate()).toMatchObject({ status: 'warn', says: expect.stringContaining('has no pre-receive hook') });
  ground.git('remote', 'remove', 'origin');
  expect(gate()).toMatchObject({ status: 'ok', says: expect.stringContaining('no remote') });
});

it('starts no hook that another user wrote', () => {
  const hook = join(ground.server, 'hooks/pre-receive');
  if (process.getuid?.() !== 0) {
    expect(() => chownSync(hook, 65_534, 65_534)).toThrow('EPERM');
    return;
  }
  chownSync(hook, 65_534, 65_534);
  expect(gate()).toMatchObject({ status: 'warn', says: expect.stringContaining('was not tried') });
});

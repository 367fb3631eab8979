import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type Desk, openDesk, type Program } from './program.ts';

describe('the start file and its output', () => {
  let program: Program;
  let desk: Desk;
  beforeAll(() => {
    program = buildProgram();
    desk = openDesk(program);
    for (let n = 1; n <= 12; n++) desk.run('add', `${n} ${'ü'.repeat(280)}`);
  });
  afterAll(() => {
    desk.remove();
    program.remove();
  });

  const shell = (script: string) =>
    spawnSync('bash', ['-o', 'pipefail', '-c', script, program.path, process.execPath], {
      cwd: desk.repo.top,
      env: { PATH: process.env.PATH, HOME: desk.repo.root, XDG_STATE_HOME: desk.state },
      encoding: 'utf8',
    });

  it('is not upset by a reader that closes early, and ends with its own code', () => {
    expect(shell('"$1" "$0" list | true')).toMatchObject({ status: 0, stderr: '' });
    expect(shell('"$1" "$0" show T-99 2>&1 | true').status).toBe(5);
  });

  it('writes everything to a slow reader', () => {
    const told = shell('"$1" "$0" --json list | (sleep 0.3; cat)');
    expect(told.status).toBe(0);
    expect(JSON.parse(told.stdout).ok).toBe(true);
    expect(told.stdout.match(/ü{280}/g)?.length).toBeGreaterThanOrEqual(12);
  });

  it('finds its command wherever the options stand, also when a value is the name of another', () => {
    expect(desk.run('--quiet', 'list').code).toBe(0);
    expect(desk.run('--actor', 'next', 'list').err).toContain('next');
    expect(desk.run('lsit').code).toBe(2);
    for (const name of ['claim', 'next', 'verify']) expect(desk.run('help').out).toContain(name);
  });
});

import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type Program, type Told } from '../cli/program.ts';
import { expectRefused, type Ground, openGround } from './ground.ts';
import { openHttpServer } from './http-server.ts';

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

const unverified = () => {
  ground.git('checkout', '-q', '-B', 'bad', 'main');
  return ground.desk.repo.commit({ 'bad.txt': 'x\n' });
};

describe('over http', () => {
  const push = (url: string, ...refs: readonly string[]) =>
    new Promise<Told>((resolve) => {
      const env = { PATH: process.env.PATH, HOME: ground.desk.repo.root, GIT_CONFIG_NOSYSTEM: '1' };
      const words = ['push', `${url}/a%20server.git`, ...refs];
      execFile('git', words, { cwd: ground.desk.repo.top, env }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });

  it('refuses what is not verified, and takes a fast-forward, a squash, a rebase and a merge that are', async () => {
    const server = await openHttpServer(ground.desk.repo.root);
    try {
      unverified();
      expectRefused(await push(server.url, 'bad:main'), /no proof pack for the tree/);
      const papers = 'refs/countersign/proofs/*:refs/countersign/proofs/*';
      const land = async (name: string, how: (name: string) => void) => {
        const { item } = ground.change(name, 'main', { [`${name}.txt`]: name });
        ground.desk.run('proof', 'push', item, '--local');
        how(name);
        expect(await push(server.url, papers, 'HEAD:main')).toMatchObject({ code: 0 });
        ground.git('branch', '-f', 'main', 'HEAD');
        expect(ground.at('refs/heads/main')).toBe(ground.git('rev-parse', 'HEAD'));
      };
      await land('forward', () => undefined);
      await land('squash', (name) => {
        ground.git('checkout', '-q', '--detach', 'main');
        ground.git('merge', '-q', '--squash', name);
        ground.git('commit', '-q', '-m', 'squashed');
      });
      await land('rebase', () => ground.git('rebase', '-q', '--force-rebase', '--ignore-date', 'main'));
      await land('merge', (name) => {
        ground.git('checkout', '-q', '--detach', 'main');
        ground.git('merge', '-q', '--no-ff', '-m', 'merged', name);
      });
    } finally {
      await server.close();
    }
  });
});

describe('a push', () => {
  it('of many refs is taken as a whole or not at all', () => {
    const { item } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', item, '--local');
    unverified();
    const papers = 'refs/countersign/proofs/*:refs/countersign/proofs/*';
    const told = ground.push('origin', papers, 'bad:bad', 'a:other', 'bad:main');
    expectRefused(told, /refs\/heads\/main \(1 of 4 refs; nothing of the push is taken\)/);
    expect(['bad', 'other'].map((name) => ground.at(`refs/heads/${name}`))).toEqual(['', '']);
    expect(ground.at('refs/countersign')).toBe('');
    expect(ground.push('origin', papers, 'bad:bad', 'a:other', 'a:main').code).toBe(0);
  });

  it('of a thousand refs and two thousand files is judged', () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [`many/${n % 50}/${n}.txt`, `${n}\n`]),
    );
    const { item } = ground.change('many', 'main', files);
    ground.desk.run('proof', 'push', item);
    const refs = Array.from({ length: 1_000 }, (_, n) => `many:refs/heads/many/${n}`);
    expect(ground.push('origin', 'many:main', ...refs)).toMatchObject({ code: 0 });
    unverified();
    expectRefused(
      ground.push('origin', '+bad:main', ...refs.map((ref) => `+bad${ref.slice(4)}`)),
      /1 of 1001 refs/,
    );
  });

  it('deletes no protected branch and rewrites none', () => {
    expectRefused(ground.push('origin', ':main'), /not deleted by a push/);
    ground.git('checkout', '-q', '-B', 'bad', 'main');
    ground.git('commit', '-q', '--amend', '-m', 'another');
    expectRefused(ground.push('--force', 'origin', 'bad:main'), /does not contain .* \[rewritten\]/);
  });

  it('is let through by a person, by the command that the refusal named', () => {
    ground.git('checkout', '-q', '-b', 'rules', 'main');
    ground.desk.repo.commit({ '.countersign/config.yaml': 'gate: {independence: human}\n' });
    const told = ground.push('origin', 'rules:main');
    expectRefused(told, /--permit policy/);
    expectRefused(told, /\[unverified\]/);
    const words = ['--key', ground.keys.person, '--branch', 'main', '--reason', 'agreed in review'];
    const half = ground.desk.say('proof', 'override', ...words, '--permit', 'policy');
    expect(half).toMatchObject({ code: 0 });
    const ref = String(half.data.ref);
    expectRefused(ground.push('origin', `${ref}:${ref}`, 'rules:main'), /\[unverified\]/);
    const whole = ground.desk.say('proof', 'override', ...words, '--permit', 'policy', 'unverified');
    const next = String(whole.data.ref);
    expect(ground.push('origin', `${next}:${next}`, 'rules:main')).toMatchObject({
      code: 0,
      err: expect.stringContaining('agreed in review'),
    });
    const { item } = ground.change('after', 'rules', { 'after.txt': 'x\n' });
    ground.desk.run('proof', 'push', item);
    expectRefused(ground.push('origin', 'after:main'), /at least human is demanded/);
  });

  it('to an empty repository is a person’s', () => {
    ground.git('update-ref', '-d', 'refs/remotes/origin/main');
    const empty = join(ground.desk.repo.root, 'empty.git');
    ground.git('init', '-q', '--bare', '-b', 'main', empty);
    ground.desk.runIn(empty, [
      'gate-push',
      '--install',
      '--key',
      ground.keys.runner,
      '--override-key',
      ground.keys.personPublic,
    ]);
    expect(ground.desk.runIn(empty, ['gate-push', '--check'])).toMatchObject({ code: 3 });
    expectRefused(ground.push(`file://${empty}`, 'main:main'), /\[created\]/);
    const words = ['--key', ground.keys.person, '--branch', 'main', '--base', 'none', '--head', 'main'];
    const ref = String(
      ground.desk.say('proof', 'override', ...words, '--permit', 'created', '--reason', 'x').data.ref,
    );
    expect(ground.push(`file://${empty}`, `${ref}:${ref}`, 'main:main').code).toBe(0);
  });

  it('is judged by packs that lie in a folder of the server', () => {
    const folder = join(ground.desk.repo.root, 'packs');
    mkdirSync(folder);
    appendFileSync(join(ground.server, 'countersign-gate/gate.yaml'), `proofs: ${JSON.stringify(folder)}\n`);
    const { item } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    expectRefused(ground.push('origin', 'a:main'), /no proof pack/);
    expect(ground.desk.run('proof', 'push', item, '--folder', folder).code).toBe(0);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(ground.push('origin', 'a:main').code).toBe(0);
  });
});

describe('whoever pushes', () => {
  it('changes nothing by variables, options or settings of their own', () => {
    unverified();
    const evil = join(ground.desk.repo.root, 'evil');
    mkdirSync(evil);
    writeFileSync(join(evil, 'git'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    writeFileSync(join(evil, 'node'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    writeFileSync(join(evil, 'preload.cjs'), 'process.exit(0)\n');
    ground.git('--git-dir', ground.server, 'config', 'receive.advertisePushOptions', 'true');
    const tries: readonly [NodeJS.ProcessEnv, readonly string[]][] = [
      [{ GIT_DIR: join(ground.desk.repo.top, '.git'), GIT_WORK_TREE: ground.desk.repo.top }, []],
      [{ GIT_OBJECT_DIRECTORY: join(ground.desk.repo.top, '.git/objects') }, []],
      [{ GIT_ALTERNATE_OBJECT_DIRECTORIES: join(ground.desk.repo.top, '.git/objects') }, []],
      [{ GIT_QUARANTINE_PATH: join(ground.desk.repo.top, '.git/objects') }, []],
      [{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: '/dev/null' }, []],
      [{ GIT_CONFIG_GLOBAL: join(evil, 'config') }, []],
      [{ NODE_OPTIONS: `--require ${join(evil, 'preload.cjs')}` }, []],
      [{ COUNTERSIGN_ACTOR: 'ada', ENV: join(evil, 'preload.cjs'), BASH_ENV: join(evil, 'preload.cjs') }, []],
      [{}, ['-o', 'countersign.skip', '-o', 'ci.skip']],
      [{}, ['--no-verify']],
    ];
    writeFileSync(join(evil, 'config'), '[core]\n\thooksPath = /dev/null\n');
    for (const [env, words] of tries)
      expectRefused(ground.pushWith(env, ...words, 'origin', 'bad:main'), /no proof pack/);
    const config = ['-c', 'core.hooksPath=/dev/null', '-c', 'receive.fsckObjects=false'];
    expect(() => ground.git(...config, 'push', 'origin', 'bad:main')).toThrow(/no proof pack/);
    const path = { PATH: `${evil}:${process.env.PATH}` };
    const other = ground.desk.repo.top;
    const hook = join(ground.server, 'hooks/pre-receive');
    const line = `${ground.at('refs/heads/main')} ${ground.git('rev-parse', 'bad')} refs/heads/main\n`;
    const env = { ...path, GIT_DIR: join(other, '.git'), GIT_QUARANTINE_PATH: join(other, '.git/objects') };
    const told = spawnSync(hook, [], { cwd: ground.server, env, input: line, encoding: 'utf8' });
    expect(told.status).toBe(3);
    expect(told.stderr).toMatch(/no folder of this repository's objects/);
  });

  it('sends nothing that git takes for no whole object', () => {
    ground.git('checkout', '-q', '-B', 'bad', 'main');
    const blob = ground.git('rev-parse', 'main:work.txt');
    const input = `100644 blob ${blob}\t.GIT\n`;
    const tree = spawnSync('git', ['mktree'], {
      cwd: ground.desk.repo.top,
      input,
      encoding: 'utf8',
    }).stdout.trim();
    const commit = ground.git('commit-tree', tree, '-p', 'main', '-m', 'odd');
    const told = ground.push('origin', `${commit}:refs/heads/odd`);
    expect(told.code).not.toBe(0);
    expect(told.err).toMatch(/hasDotgit/);
  });
});

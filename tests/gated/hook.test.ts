import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { expectRefused, type Ground, openGround } from './ground.ts';

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

const onServer = (...words: readonly string[]) => ground.desk.runIn(ground.server, words);
const unverified = () => {
  ground.git('checkout', '-q', '-B', 'bad', 'main');
  return ground.desk.repo.commit({ 'bad.txt': 'x\n' });
};

describe('the hook', () => {
  const hook = () => join(ground.server, 'hooks/pre-receive');

  it('is put in beside nothing of somebody else, and runs before what they move aside', () => {
    const own = '#!/bin/sh\ncat > ran\nexit 1\n';
    writeFileSync(hook(), own, { mode: 0o755 });
    const told = onServer('gate-push', '--install');
    expect(told).toMatchObject({ code: 6, err: expect.stringContaining('pre-receive.local') });
    expect(readFileSync(hook(), 'utf8')).toBe(own);
    renameSync(hook(), `${hook()}.local`);
    expect(onServer('gate-push', '--install').code).toBe(0);
    unverified();
    expectRefused(ground.push('origin', 'bad:main'), /no proof pack/);
    expect(existsSync(join(ground.server, 'ran'))).toBe(false);
    expectRefused(ground.push('origin', 'bad:bad'), /pre-receive hook declined/);
    expect(readFileSync(join(ground.server, 'ran'), 'utf8')).toMatch(/^0+ [0-9a-f]{40} refs\/heads\/bad\n$/);
    writeFileSync(`${hook()}.local`, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    expect(ground.push('origin', 'bad:bad').code).toBe(0);
  });

  it('refuses everything where it cannot judge', () => {
    const { item } = ground.change('a', 'main', { 'a.txt': 'a\n' });
    ground.desk.run('proof', 'push', item);
    const settings = join(ground.server, 'countersign-gate/gate.yaml');
    const good = readFileSync(settings, 'utf8');
    for (const bad of ['branches: main\n', 'branhces: [main]\n', ': :\n', '- x\n', 'proofs: here\n']) {
      writeFileSync(settings, bad);
      expectRefused(ground.push('origin', 'a:main'), /gate\.yaml/);
    }
    writeFileSync(settings, good);
    renameSync(join(ground.server, 'countersign-gate/keys'), join(ground.server, 'countersign-gate/kept'));
    expectRefused(ground.push('origin', 'a:main'), /not trusted/);
    renameSync(join(ground.server, 'countersign-gate'), join(ground.server, 'gone'));
    expectRefused(ground.push('origin', 'a:main'), /there is no .*gate\.yaml/);
  });

  it('refuses what is not what git tells a hook', () => {
    const judge = (input: string) => {
      return spawnSync(hook(), [], { cwd: ground.server, input, encoding: 'utf8' });
    };
    const id = ground.at('refs/heads/main');
    for (const line of [
      '',
      '\n',
      'x\n',
      `${id} ${id}\n`,
      `${id} ${id} HEAD\n`,
      `${id} main refs/heads/main\n`,
    ])
      expect(judge(line).status).toBe(3);
  });

  it('is told armed only when it was seen to refuse', () => {
    expect(onServer('--json', 'gate-push', '--check')).toMatchObject({
      code: 0,
      out: expect.stringContaining('"armed":true'),
    });
    const text = readFileSync(hook(), 'utf8');
    const other = join(ground.desk.repo.root, 'countersign.cjs');
    writeFileSync(other, 'process.exit(0);\n');
    const states: readonly [string, () => void, RegExp][] = [
      [
        'edited',
        () => writeFileSync(hook(), text.replace('|| exit 3\n', '|| exit 0\n')),
        /not as countersign wrote it/,
      ],
      [
        'of another program',
        () => writeFileSync(hook(), text.replace(/'[^']*countersign\.cjs'/, `'${other}'`)),
        /did not refuse to delete refs\/heads\/main \(exit 0\)/,
      ],
      ['not executable', () => chmodSync(hook(), 0o644), /not executable/],
      ['open to others', () => chmodSync(hook(), 0o777), /others than its owner can write/],
      [
        'elsewhere',
        () => ground.git('--git-dir', ground.server, 'config', 'core.hooksPath', '/tmp/none'),
        /no pre-receive hook/,
      ],
      [
        'left to others',
        () => ground.git('--git-dir', ground.server, 'config', '--unset', 'core.hooksPath'),
        /may turn its hooks off/,
      ],
    ];
    for (const [, make, says] of states) {
      make();
      expect(onServer('gate-push', '--check')).toMatchObject({ code: 3, err: expect.stringMatching(says) });
      writeFileSync(hook(), text);
      chmodSync(hook(), 0o755);
      ground.git('--git-dir', ground.server, 'config', 'core.hooksPath', join(ground.server, 'hooks'));
    }
  });

  it.each([
    [['--install'], 2, /no key is trusted here/],
    [['--install', '--key', 'nowhere.pem'], 5, /nowhere\.pem cannot be read/],
    [['--check', '--repository', '/'], 5, /no repository that can be pushed to/],
    [
      ['--install', '--key', 'KEY', '--proofs', 'packs'],
      2,
      /--proofs packs is not the whole path of a folder/,
    ],
    [['--install', '--key', 'KEY', '--branch', ''], 2, /--branch has no name/],
  ])('is not put in with %j', (asked, code, says) => {
    const bare = join(ground.desk.repo.root, 'new.git');
    ground.git('init', '-q', '--bare', bare);
    const words = asked.map((word) => (word === 'KEY' ? ground.keys.runner : word));
    const told = ground.desk.runIn(bare, ['gate-push', ...words]);
    expect(told).toMatchObject({ code, err: expect.stringMatching(says) });
    for (const left of ['hooks/pre-receive', 'countersign-gate'])
      expect(existsSync(join(bare, left)), left).toBe(false);
  });

  it('keeps settings that are there', () => {
    expect(onServer('gate-push', '--install', '--branch', 'other')).toMatchObject({
      code: 2,
      err: expect.stringContaining('change branches and proofs in that file'),
    });
    expect(onServer('gate-push', '--install').code).toBe(0);
  });
});

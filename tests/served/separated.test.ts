import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, CONFIG, CRITERIA, type Program } from '../cli/program.ts';
import { isRoot, machine, type Ran, type User } from './users.ts';

// The server and its keys are of one user, an agent is another. Only root can start programs as both; elsewhere there is one
// user, and the level is the cooperative one, which tests/served/clients.test.ts shows.
if (isRoot) describe('a server of another user', separated);
else
  test('a server of this user is not called separated: tests of another user need root', () => {
    expect(isRoot).toBe(false);
  });

function separated() {
  let program: Program;
  let there: ReturnType<typeof machine>;
  let owner: User;
  let builder: User;
  let verifier: User;
  let url = '';
  let server: ReturnType<User['start']>;
  let top: string;
  let hub: string;
  const clones = new Map<User, string>();

  /** Where checks cannot be kept from the files of the server's user, nothing is separated. */
  let level = '';

  const ok = (ran: Ran): string => {
    if (ran.code !== 0) throw new Error(`exit ${ran.code}: ${ran.out}${ran.err}`);
    return ran.out;
  };
  const asBuilder = (...words: string[]) =>
    builder.countersign(clones.get(builder) ?? '', '--actor', 'builder', ...words);
  const asVerifier = (...words: string[]) =>
    verifier.countersign(clones.get(verifier) ?? '', '--actor', 'verifier', ...words);

  beforeAll(async () => {
    program = buildProgram();
    there = machine(program);
    [owner, builder, verifier] = [41_101, 41_102, 41_103].map((uid) => there.user(uid)) as [User, User, User];
    // A place that everybody pushes to, as a group would have it.
    hub = join(there.root, 'hub.git');
    execFileSync('git', ['init', '-q', '--bare', '--shared=0666', '-b', 'main', hub]);
    execFileSync('chmod', ['-R', 'a+rwX', hub]);
    for (const user of [owner, builder, verifier])
      ok(user.run(user.home, 'git', ['config', '--global', 'safe.directory', '*']));
    top = join(owner.home, 'project');
    ok(owner.run(owner.home, 'git', ['clone', '-q', hub, top]));
    ok(owner.run(top, 'git', ['checkout', '-q', '-b', 'main']));
    ok(owner.run(top, 'mkdir', ['-p', '.countersign/criteria']));
    ok(owner.run(top, 'tee', ['.countersign/criteria/default.yaml'], CRITERIA));
    ok(owner.run(top, 'tee', ['.countersign/config.yaml'], CONFIG));
    ok(owner.run(top, 'git', ['add', '-A']));
    ok(owner.run(top, 'git', ['commit', '-q', '-m', 'base']));
    ok(owner.run(top, 'git', ['push', '-q', 'origin', 'main']));
    ok(owner.countersign(top, 'init', '--owner', 'ada', '--agents', 'builder,verifier'));
    const { data } = JSON.parse(owner.countersign(top, '--json', 'doctor').out) as {
      data: { conditions: { name: string; status: string }[] };
    };
    const isolated = data.conditions.find(({ name }) => name === 'isolation')?.status === 'ok';
    level = isolated ? 'separated' : 'cooperative';
    server = owner.start(top, 'serve', '--port', '0', '--fetch', 'origin');
    const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
    url = (JSON.parse(line.toString('utf8')) as { url: string }).url;
    for (const [user, name] of [
      [builder, 'builder'],
      [verifier, 'verifier'],
    ] as const) {
      const clone = join(user.home, 'clone');
      clones.set(user, clone);
      ok(user.run(user.home, 'git', ['clone', '-q', hub, clone]));
      const { token } = (
        JSON.parse(ok(owner.countersign(top, '--json', 'token', 'issue', name, '--print'))) as {
          data: { token: string };
        }
      ).data;
      const words = ['connect', url, '--actor', name, '--token-file', '-'];
      ok(
        user.run(
          clone,
          process.execPath,
          [join(there.root, 'program/dist/bin/countersign.cjs'), ...words],
          token,
        ),
      );
    }
  });

  afterAll(async () => {
    server?.kill('SIGTERM');
    if (server?.exitCode === null) await once(server, 'exit');
    there?.remove();
    program?.remove();
  });

  test('work is done, verified by somebody else, and the verdict says that it was separated', () => {
    ok(owner.countersign(top, 'add', 'Do it'));
    const clone = clones.get(builder) ?? '';
    ok(owner.countersign(top, 'dispatch', 'T-1', '--to', 'builder'));
    ok(asBuilder('start', 'T-1'));
    ok(builder.run(clone, 'git', ['checkout', '-q', '-b', 'work']));
    ok(builder.run(clone, 'tee', ['work.txt'], 'done\n'));
    ok(builder.run(clone, 'git', ['add', '-A']));
    ok(builder.run(clone, 'git', ['commit', '-q', '-m', 'work']));
    expect(asBuilder('claim', 'T-1').code).toBe(5);
    ok(builder.run(clone, 'git', ['push', '-q', 'origin', 'work']));
    ok(asBuilder('claim', 'T-1'));
    expect(asBuilder('verify', 'T-1').code).toBe(7);
    ok(asVerifier('verify', 'T-1'));
    const signed = (
      JSON.parse(ok(asVerifier('--json', 'proof', 'show', 'T-1'))) as { data: { signed: string } }
    ).data;
    const pack = ok(owner.run(top, 'cat', [join(top, signed.signed)]));
    const payloads = [...pack.matchAll(/"payload":"([^"]+)"/g)].map(([, text]) =>
      Buffer.from(text ?? '', 'base64').toString('utf8'),
    );
    expect(payloads.join('\n')).toContain(`"protectionLevel":"${level}"`);
  });

  test('doctor says separated to the agent, and cooperative to whoever is of the server’s user', () => {
    const told = asBuilder('doctor');
    if (level === 'cooperative') return expect(told.out).toContain('cooperative');
    expect(told.out, told.err).toMatch(
      /separated: the store and its keys are of another user.+tried .+ and could not/,
    );
    expect(owner.countersign(top, 'doctor').out).toMatch(/cooperative/);
  });

  test('the agent’s user reads neither store nor keys nor another’s token, and cannot put another store in its place', () => {
    const state = join(top, '.git/countersign');
    const secrets = join(owner.home, '.local/state/countersign');
    const clone = clones.get(builder) ?? '';
    for (const words of [
      ['cat', join(state, 'store.db')],
      ['ls', state],
      ['ls', secrets],
      ['mv', state, join(builder.home, 'taken')],
      ['rm', '-rf', state],
      ['touch', join(state, 'x')],
      ['ls', join(verifier.home, '.local/state/countersign')],
      ['cp', '-r', state, builder.home],
    ])
      expect(builder.run(clone, words[0] ?? '', words.slice(1)).code, words.join(' ')).not.toBe(0);
    expect(owner.countersign(top, 'audit', 'verify').code).toBe(0);
  });

  test('the agent moves nothing past its gate, whoever it says that it is', () => {
    ok(owner.countersign(top, 'add', 'Another'));
    ok(owner.countersign(top, 'dispatch', 'T-2', '--to', 'builder'));
    ok(asBuilder('start', 'T-2'));
    const clone = clones.get(builder) ?? '';
    const before = ok(asBuilder('--json', 'show', 'T-2'));
    const ways: readonly (readonly string[])[] = [
      ['--actor', 'builder', 'verify', 'T-2'],
      ['--actor', 'builder', 'complete', 'T-2'],
      ['--actor', 'verifier', 'verify', 'T-2'],
      ['--actor', 'ada', 'verify', 'T-2', '--confirm'],
      ['verify', 'T-2', '--confirm'],
      ['--actor', 'builder', 'token', 'issue', 'verifier'],
      ['--actor', 'builder', 'actor', 'add', 'mine', '--role', 'verification-agent'],
      ['--actor', 'builder', 'actor', 'roles', 'builder', '--role', 'verification-agent'],
      ['--actor', 'builder', 'key', 'renew', '--purpose', 'runner'],
    ];
    for (const words of ways) expect(builder.countersign(clone, ...words).code, words.join(' ')).not.toBe(0);
    // In the server's own folder the program finds no store that this user may open.
    for (const words of [['list'], ['init'], ['doctor']]) {
      const told = builder.countersign(top, '--json', '--actor', 'builder', ...words);
      expect(told.code, told.out).not.toBe(0);
    }
    expect(ok(asBuilder('--json', 'show', 'T-2'))).toBe(before);
    expect(owner.countersign(top, 'audit', 'verify').code).toBe(0);
  });

  test('a token that was stolen is that of its actor alone, and ends when it is revoked', () => {
    const clone = clones.get(builder) ?? '';
    const token = ok(
      verifier.run(verifier.home, 'sh', ['-c', 'cat .local/state/countersign/servers/*/tokens/verifier']),
    );
    const file = join(builder.home, 'stolen');
    writeFileSync(file, token, { mode: 0o644 });
    ok(builder.countersign(clone, 'connect', url, '--actor', 'verifier', '--token-file', file));
    // Two tokens in one hand are one pair of eyes, and the machine says so.
    expect(builder.countersign(clone, '--actor', 'builder', 'doctor').out).toMatch(
      /cooperative, although .+ tokens of several actors \(builder, verifier\)/,
    );
    const listed = JSON.parse(ok(owner.countersign(top, '--json', 'token', 'list'))) as {
      data: { tokens: { id: string; actor: string }[] };
    };
    for (const { id, actor } of listed.data.tokens)
      if (actor === 'verifier') ok(owner.countersign(top, 'token', 'revoke', id));
    expect(builder.countersign(clone, '--actor', 'verifier', 'list').code).toBe(7);
  });
}

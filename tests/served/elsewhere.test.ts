import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../src/attestation/digest.ts';
import { folderMark } from '../../src/folder-mark.ts';
import { buildProgram, type Program } from '../cli/program.ts';
import { runIn } from '../fixtures/scratch-repo.ts';
import { type Generation, speakTo } from '../mcp/stdio.ts';
import { OWNER, openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from '../two-phase/bring.ts';
import { authorizationOf, letSignIn, type Server, startServer, throughServer } from './server.ts';

// Server and client have a clone each, of a repository between them in which the server looks for commits.
let program: Program;
let session: Session;
let server: Server;
let s: Session;
let central: string;
let clone: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  program = buildProgram();
  session = await openSession();
  await letSignIn(session, OWNER);
  const { root, top } = session.repo;
  central = join(root, 'central.git');
  runIn(root, ['clone', '-q', '--bare', top, central]);
  runIn(top, ['remote', 'add', 'origin', central]);
  runIn(top, ['fetch', '-q', 'origin']);
  server = await startServer(program, session, ['--port', '0', '--fetch', 'origin']);
  s = throughServer(session, server, OWNER);
  clone = join(root, 'clone');
  runIn(root, ['clone', '-q', '-b', 'main', central, clone]);
  const home = join(root, 'home of an agent');
  mkdirSync(home);
  const token = await session.with(async ({ credentials }) => credentials.read(DEVELOPER));
  env = { ...session.env, HOME: home, XDG_STATE_HOME: join(home, 'state'), COUNTERSIGN_URL: server.url };
  const connected = run(['connect', server.url, '--actor', DEVELOPER, '--token-file', '-'], token);
  expect(connected.code, connected.err).toBe(0);
});
afterAll(async () => {
  await server.stop();
  session.close();
  program.remove();
});

function run(words: readonly string[], input = '') {
  const options = { cwd: clone, env, encoding: 'utf8', input } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program.path, ...words], options);
  return { code: status, out: stdout, err: stderr };
}

const asDeveloper = (...words: readonly string[]) => run(['--actor', DEVELOPER, ...words]);

const speak = (generation: Generation = 'legacy') =>
  speakTo(program, clone, env, ['--actor', DEVELOPER, '--profile', 'two-phase'], generation);

/** A commit on a branch of its own, which stays checked out. */
function workOn(branch: string): string {
  runIn(clone, ['checkout', '-q', '-b', branch, 'main']);
  writeFileSync(join(clone, 'work.txt'), `done on ${branch}\n`);
  runIn(clone, ['add', 'work.txt']);
  runIn(clone, ['commit', '-q', '-m', branch]);
  return runIn(clone, ['rev-parse', 'HEAD']).trim();
}

/** The same, pushed, with the clone back on its main branch. */
function pushed(branch: string): string {
  const commit = workOn(branch);
  runIn(clone, ['push', '-q', 'origin', branch]);
  runIn(clone, ['checkout', '-q', 'main']);
  return commit;
}

test('a remote that is away stops nothing but what is about a commit that the server lacks, which says why', async () => {
  const item = await bring(s, 'in_progress', '--list', 'away');
  workOn('unpushed');
  renameSync(central, `${central}.away`);
  try {
    const listed = asDeveloper('list');
    expect([listed.code, listed.err]).toEqual([0, '']);
    const claimed = asDeveloper('claim', item);
    expect([claimed.code, claimed.err]).toEqual([5, expect.stringContaining('could not look in origin')]);
    const spoken = await speak();
    expect((await spoken.call('item_show', { item })).isError).toBe(false);
    const refused = await spoken.call('item_claim', { item });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('look in origin')]);
    await spoken.close();
    expect(server.log().map(({ msg }) => msg)).toContain('origin could not be looked in');
  } finally {
    renameSync(`${central}.away`, central);
  }
});

test('what a client names is looked for in the remote as well as its HEAD, also where HTTP is spoken', async () => {
  const item = await bring(s, 'in_progress', '--list', 'named');
  const commit = pushed('one');
  const claimed = asDeveloper('--json', 'claim', item, '--commit', 'one');
  expect(JSON.parse(claimed.out)).toMatchObject({ ok: true, data: { commit } });

  const second = await bring(s, 'in_progress', '--list', 'spoken');
  const spoken = await speak();
  const other = pushed('two');
  const answer = await spoken.call('item_claim', { item: second, commit: 'two' });
  expect(answer.data, answer.text).toMatchObject({ ok: true });
  expect(answer.text).toContain(other.slice(0, 12));
  await spoken.close();

  const third = await bring(s, 'in_progress', '--list', 'http');
  const body = JSON.stringify({ item: third, commit: pushed('three') });
  const headers = { authorization: await authorizationOf(session, DEVELOPER, OWNER) };
  const said = await fetch(`${server.url}/v1/commands/claim`, { method: 'POST', headers, body });
  expect(await said.json()).toMatchObject({ ok: true });
});

test('what is named and was not pushed is to be pushed under its id, and HEAD as HEAD', async () => {
  const item = await bring(s, 'in_progress', '--list', 'lacking');
  const commit = workOn('kept-back');
  runIn(clone, ['checkout', '-q', 'main']);
  const told = asDeveloper('claim', item, '--commit', 'kept-back');
  expect([told.code, told.err]).toEqual([
    5,
    expect.stringContaining(`git push origin ${commit}:refs/heads/`),
  ]);
});

test('evidence is the file of the client, over MCP as well, and never another one of that name at the server', async () => {
  runIn(clone, ['checkout', '-q', 'main']);
  for (const name of ['out.txt', 'both.txt']) writeFileSync(join(clone, name), `${name} of the client\n`);
  for (const name of ['both.txt', 'servers.txt'])
    writeFileSync(join(session.repo.top, name), `${name} of the server\n`);
  const item = await bring(s, 'in_progress', '--list', 'evidence');
  const spoken = await speak('modern');
  const refused = await spoken.call('item_claim', { item, evidence: ['servers.txt'], no_change: true });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('servers.txt')]);
  const evidence = ['out.txt', 'report=both.txt'];
  const claimed = await spoken.call('item_claim', { item, evidence, no_change: true });
  expect(claimed.data, claimed.text).toMatchObject({ ok: true });
  expect(claimed.text).not.toContain('working tree');
  await spoken.close();
  const digests = ['out.txt', 'both.txt'].map((name) => sha256Hex(`${name} of the client\n`));
  const recorded = JSON.stringify(await session.events(item));
  for (const digest of digests) expect(recorded).toContain(digest);

  const second = await bring(s, 'in_progress', '--list', 'typed');
  const none = asDeveloper('claim', second, '--no-change', '--evidence', 'report=servers.txt');
  expect([none.code, none.err]).toEqual([3, expect.stringContaining('servers.txt')]);
  const typed = asDeveloper('claim', second, '--no-change', '--evidence', 'report=both.txt');
  expect(typed.code, typed.err).toBe(0);
  expect(JSON.stringify(await session.events(second))).toContain(digests[1]);
});

test('a folder of another machine that has the path of the server\u2019s is another one, and no whole path leads into that', async () => {
  const { top } = session.repo;
  writeFileSync(join(top, 'here.txt'), 'of the server\n');
  const item = await bring(s, 'in_progress', '--list', 'same-path');
  const authorization = await authorizationOf(session, DEVELOPER, OWNER);
  const claim = async (path: string, folder: string) => {
    const words = ['claim', item, '--no-change', '--evidence', path];
    const head = runIn(clone, ['rev-parse', 'HEAD']);
    const body = JSON.stringify({ words, cwd: top, folder, head });
    const said = await fetch(`${server.url}/v1/commands`, {
      method: 'POST',
      headers: { authorization },
      body,
    });
    return said.text();
  };
  expect(await claim('here.txt', '7.7')).toContain('{"exit":3}');
  expect(await claim(join(top, 'here.txt'), '7.7')).toContain('{"exit":3}');
  expect(await claim('here.txt', folderMark(top))).toContain('{"exit":0}');
});

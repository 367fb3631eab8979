import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { runIn } from '../fixtures/scratch-repo.ts';
import { hook } from '../hooks/hook-program.ts';
import { answered } from '../mcp/in-memory.ts';
import { GENERATIONS, type Generation, speakTo } from '../mcp/stdio.ts';
import { OWNER, openSession, type Session } from '../session.ts';
import { inTerminal } from '../terminal.ts';
import { bring, DEVELOPER } from '../two-phase/bring.ts';
import { authorizationOf, letSignIn, type Server, startServer, throughServer } from './server.ts';

// A clone without a store of its own, whose commands, hooks and MCP server work with the store of another.
let program: Program;
let session: Session;
let server: Server;
let s: Session;
let clone: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  program = buildProgram();
  session = await openSession();
  await letSignIn(session, OWNER);
  server = await startServer(program, session);
  s = throughServer(session, server, OWNER);
  clone = join(session.repo.root, 'clone of an agent');
  runIn(session.repo.root, ['clone', '-q', session.repo.top, clone]);
  const home = join(session.repo.root, 'home of an agent');
  mkdirSync(home);
  env = { ...session.env, HOME: home, XDG_STATE_HOME: join(home, 'state') };
  for (const actor of [DEVELOPER, 'verification-agent']) await connectAs(actor);
});
afterAll(async () => {
  await server.stop();
  session.close();
  program.remove();
});

function run(words: readonly string[], more: NodeJS.ProcessEnv = {}, input = '') {
  const options = { cwd: clone, env: { ...env, ...more }, encoding: 'utf8', input } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program.path, ...words], options);
  return { code: status, out: stdout, err: stderr };
}

async function connectAs(actor: string) {
  const token = await session.with(async ({ credentials }) => credentials.read(actor));
  const said = run(['connect', server.url, '--actor', actor, '--token-file', '-'], {}, token);
  expect(said.code, said.err).toBe(0);
  const [, next = ''] = /^next: countersign (.*)$/m.exec(said.err) ?? [];
  expect(run(next.split(' ')).code).toBe(0);
}

describe('a clone that is connected', () => {
  test('its commands are those of the server: work is claimed by its commit, verified and told', async () => {
    const id = await bring(s, 'in_progress', '--list', 'cloned');
    runIn(clone, ['checkout', '-q', '-b', 'clone-work']);
    writeFileSync(join(clone, 'work.txt'), 'done in a clone\n');
    runIn(clone, ['add', '-A']);
    runIn(clone, ['commit', '-q', '-m', 'work']);
    const early = run(['--actor', DEVELOPER, 'claim', id]);
    expect([early.code, early.err]).toEqual([5, expect.stringContaining('the server does not have')]);
    expect(early.err).toContain('git push origin HEAD');
    runIn(clone, ['push', '-q', 'origin', 'HEAD']);
    const claimed = run(['--actor', DEVELOPER, '--json', 'claim', id]);
    expect(claimed.code, claimed.out + claimed.err).toBe(0);
    const head = runIn(clone, ['rev-parse', 'HEAD']);
    expect(claimed.out).toContain(head);
    const own = run(['--actor', DEVELOPER, 'verify', id]);
    expect(own.code).toBe(7);
    expect(own.err).toContain('next: countersign verify');
    const verified = run(['--actor', 'verification-agent', 'verify', id]);
    expect(verified.code, verified.err).toBe(0);
    expect(run(['--actor', DEVELOPER, 'show', id]).out).toContain('VERIFIED');
  });

  test('the commits that it names are those of its own clone, whatever is called so at the server', async () => {
    session.repo.commit({ 'later.txt': 'the server has gone on\n' });
    runIn(session.repo.top, ['branch', 'same-name', 'HEAD']);
    const [relative, named, plain] = [
      await bring(s, 'in_progress', '--list', 'relative'),
      await bring(s, 'in_progress', '--list', 'named'),
      await bring(s, 'in_progress', '--list', 'plain'),
    ];
    runIn(clone, ['checkout', '-q', '-b', 'two-steps']);
    for (const text of ['one', 'two']) {
      writeFileSync(join(clone, 'work.txt'), `done in step ${text}\n`);
      runIn(clone, ['commit', '-q', '-a', '-m', text]);
    }
    runIn(clone, ['push', '-q', 'origin', 'HEAD']);
    const [second, first] = ['HEAD', 'HEAD~1'].map((name) => runIn(clone, ['rev-parse', name]).trim());
    const before = run(['--actor', DEVELOPER, '--json', 'claim', relative, '--commit', 'HEAD~1']);
    expect(JSON.parse(before.out)).toMatchObject({ ok: true, data: { commit: first } });
    runIn(clone, ['branch', 'same-name', 'HEAD']);
    const other = run(['--actor', DEVELOPER, '--json', 'claim', named, '--commit=same-name']);
    expect(JSON.parse(other.out)).toMatchObject({ ok: true, data: { commit: second } });
    // Whoever speaks HTTP itself tells its HEAD, and what it names is seen from there.
    const answer = await fetch(`${server.url}/v1/commands`, {
      method: 'POST',
      headers: { authorization: await authorizationOf(session, DEVELOPER, OWNER) },
      body: JSON.stringify({ words: ['--json', 'claim', plain, '--commit', 'HEAD~1'], head: second }),
    });
    expect(await answer.text()).toContain(first);
  });

  test('its packs are pushed as the server’s user pushes, with the settings of theirs', async () => {
    const [settings, central] = ['settings', 'central.git'].map((name) => join(session.repo.root, name));
    const url = 'https://central.example/project';
    runIn(session.repo.root, ['init', '-q', '--bare', 'central.git']);
    runIn(session.repo.top, ['remote', 'add', 'central', url]);
    writeFileSync(String(settings), `[url "${central}"]\n\tinsteadOf = ${url}\n`);
    const env = { ...session.env, GIT_CONFIG_GLOBAL: settings };
    const other = await startServer(program, { repo: session.repo, env });
    const through = throughServer(session, other, OWNER);
    const told = await through.text(DEVELOPER, 'proof', 'push', '--remote', 'central');
    expect([told.code, told.err]).toEqual([0, '']);
    expect(runIn(String(central), ['for-each-ref'])).toContain('refs/countersign/proofs/');
    await other.stop();
  });

  test('files go both ways', () => {
    writeFileSync(
      join(clone, 'old.json'),
      JSON.stringify([{ id: 'x', content: 'Old one', status: 'pending' }]),
    );
    const imported = run(['--actor', DEVELOPER, 'import', 'todo', 'old.json', '--list', 'old']);
    expect([imported.code, imported.err]).toEqual([7, expect.stringContaining('may')]);
    const exported = run(['--actor', DEVELOPER, 'export', '--output', 'log.jsonl']);
    expect(exported.code, exported.err).toBe(0);
    expect(readFileSync(join(clone, 'log.jsonl'), 'utf8')).toContain('repository-opened');
    const audited = run(['--actor', DEVELOPER, 'audit', 'verify', 'log.jsonl']);
    expect(audited.out + audited.err).toContain('clean');
    expect(run(['--actor', DEVELOPER, 'export', '--output', 'log.jsonl']).code).not.toBe(0);
  });

  test('help, completion and what belongs to this machine need no server', () => {
    const gone = { COUNTERSIGN_URL: 'http://127.0.0.1:1' };
    for (const words of [['--help'], ['claim', '--help'], ['completion', 'bash'], ['--version']])
      expect(run(words, gone).code).toBe(0);
  });

  test('a server that does not answer is said, and nothing is done in its place', () => {
    const told = run(['--actor', DEVELOPER, 'list'], { COUNTERSIGN_URL: 'http://127.0.0.1:1' });
    expect([told.code, told.out]).toEqual([8, '']);
    expect(told.err).toContain('next: start it: countersign serve');
    const document = JSON.parse(
      run(['--json', '--actor', DEVELOPER, 'list'], { COUNTERSIGN_URL: 'nowhere' }).out,
    );
    expect(document).toMatchObject({ ok: false, error: { code: 'BAD_INPUT' } });
  });

  test('whoever has no token here hears how to get one', () => {
    const told = run(['--actor', 'orchestrator', 'list']);
    expect([told.code, told.out]).toEqual([7, '']);
    expect(told.err).toContain('--token-file');
  });

  test('doctor says what this process reaches', () => {
    const told = run(['--actor', DEVELOPER, 'doctor']);
    expect(told.out).toContain('cooperative');
    expect(told.out).toMatch(/this user can reach the store, the keys/);
    expect(told.out).toContain('tokens of several actors');
  });
});

describe('a person at a terminal of a client', () => {
  test('types passphrase and code, and the word counts as a person’s; without either it does not', async () => {
    const id = await bring(s, 'claimed', '--list', 'person');
    const words = ['--actor', OWNER, 'verify', id, '--confirm'];
    const client = { ...session, repo: { ...session.repo, top: clone }, env };
    const wrong = await inTerminal(program, client, words, () => 'nothing', 'not the passphrase');
    expect(wrong.code, wrong.out).toBe(7);
    const uncoded = await inTerminal(program, client, words, () => 'aaaaaa\n', 'correct horse battery');
    expect(uncoded.code, uncoded.out).not.toBe(0);
    expect((await s.say('', 'show', id)).data.status).toBe('claimed');
    const right = await inTerminal(program, client, words, (code) => `${code}\n`, 'correct horse battery');
    expect(right.code, right.out).toBe(0);
    expect(right.out).not.toContain('correct horse');
    const moved = (await session.events(id)).filter((e) => e.type === 'recorded').at(-1);
    expect(moved).toMatchObject({ independence: 'human' });
  });
});

describe('hooks of a connected clone', () => {
  const around = () => ({ env: { ...env, CLAUDE_PROJECT_DIR: clone }, cwd: clone, actor: DEVELOPER });

  test('a session is told what stands, and its commands act as its agent', () => {
    const file = join(session.repo.root, 'variables');
    writeFileSync(file, '');
    const at = around();
    const told = hook(
      program,
      { ...at, env: { ...at.env, CLAUDE_ENV_FILE: file } },
      { hook_event_name: 'SessionStart', session_id: 's1', cwd: clone, source: 'startup' },
    );
    expect(told.code).toBe(0);
    expect(told.said?.hookSpecificOutput?.additionalContext, told.stdout).toContain(DEVELOPER);
    expect(readFileSync(file, 'utf8')).toContain(`COUNTERSIGN_ACTOR=${DEVELOPER}`);
  });

  test('without the server the session is told, and goes on', () => {
    const at = around();
    const told = hook(
      program,
      { ...at, env: { ...at.env, COUNTERSIGN_URL: 'http://127.0.0.1:1' } },
      { hook_event_name: 'Stop', session_id: 's1', cwd: clone, stop_hook_active: false },
    );
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(told.said?.systemMessage).toContain('server');
  });
});

/** A server that never says that a list has changed does not promise it either. */
const FIXED_LISTS = Object.fromEntries(
  ['tools', 'resources', 'prompts'].map((name) => [name, { listChanged: false }]),
);

describe.each(Object.keys(GENERATIONS) as Generation[])('MCP of the generation %s', (generation) => {
  test('over the pipes of a client that has no store', async () => {
    const words = ['--actor', 'verification-agent', '--profile', 'two-phase'];
    const spoken = await speakTo(program, clone, env, words, generation);
    expect(spoken.client.getServerCapabilities()).toEqual(FIXED_LISTS);
    const { tools } = await spoken.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('item_verify');
    const id = await bring(s, 'claimed', '--list', `pipes-${generation}`);
    const verified = await spoken.call('item_verify', { item: id });
    expect(verified.data, verified.text).toMatchObject({ ok: true, verdict: 'PASSED' });
    expect((await spoken.call('item_show', { item: 'T-9999' })).isError).toBe(true);
    await spoken.close();
  });

  test('over pipes claims what is committed in the clone of its client', async () => {
    runIn(clone, ['checkout', '-q', '-b', `spoken-${generation}`, 'origin/main']);
    for (const text of ['one', 'two']) {
      writeFileSync(join(clone, 'work.txt'), `done in words ${text} of ${generation}\n`);
      runIn(clone, ['add', '-A', 'work.txt']);
      runIn(clone, ['commit', '-q', '-m', text]);
    }
    runIn(clone, ['push', '-q', 'origin', 'HEAD']);
    const words = ['--actor', DEVELOPER, '--profile', 'two-phase'];
    const spoken = await speakTo(program, clone, env, words, generation);
    for (const [list, more, name] of [
      ['head', {}, 'HEAD'],
      ['before', { commit: 'HEAD~1' }, 'HEAD~1'],
      ['called', { commit: `spoken-${generation}` }, 'HEAD'],
    ] as const) {
      const item = await bring(s, 'in_progress', '--list', `${list}-${generation}`);
      const claimed = await spoken.call('item_claim', { item, ...more });
      expect(claimed.data, claimed.text).toMatchObject({ ok: true });
      expect(claimed.text).toContain(runIn(clone, ['rev-parse', name]).trim().slice(0, 12));
    }
    await spoken.close();
  });

  test('over HTTP, by the official client', async () => {
    const authorization = await authorizationOf(session, DEVELOPER, OWNER);
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/two-phase`), {
      requestInit: { headers: { authorization } },
    });
    const client = new Client(
      { name: 'scripted-agent', version: '1' },
      { versionNegotiation: { mode: GENERATIONS[generation] } },
    );
    await client.connect(transport);
    expect(client.getServerCapabilities()).toEqual(FIXED_LISTS);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('item_claim');
    const id = await bring(s, 'claimed', '--list', `http-${generation}`);
    const refused = answered(await client.callTool({ name: 'item_claim', arguments: { item: id } }));
    expect(refused.isError, refused.text).toBe(true);
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(0);
    await client.close();
  });

  test('of a person, or without a credential, is not spoken', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const post = (headers: Record<string, string>) =>
      fetch(`${server.url}/mcp/core`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    expect((await post({})).status).toBe(401);
    expect((await post({ authorization: await authorizationOf(session, '', OWNER) })).status).toBe(401);
  });
});

import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { GENERATIONS, type Generation, speakTo } from './stdio.ts';

// J01 through MCP alone: a scripted agent as builder, one as verifier, one that gives out the work.
let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession();
});
afterAll(() => {
  program.remove();
  s.close();
});

const generations = Object.keys(GENERATIONS) as readonly Generation[];

describe.each(generations)('in the %s generation of the protocol', (generation) => {
  const speak = (actor: string, ...words: readonly string[]) =>
    speakTo(program, s.repo.top, s.env, ['--actor', actor, '--profile', 'two-phase', ...words], generation);

  test('2PC-28: from a new item over a failure to completion, by following the exact calls', async () => {
    const orchestrator = await speak('orchestrator');
    const builder = await speak('swiftui-developer');
    const verifier = await speak('verification-agent');
    const list = `walk-${generation}`;
    const added = await orchestrator.call('item_add', { title: 'Implement login screen', list });
    const item = added.data.item?.id;
    expect(added.data.next).toMatchObject([{ by: 'you', tool: 'item_dispatch', arguments: { item } }]);
    const give = { item, to: 'swiftui-developer' };
    expect((await orchestrator.call('item_dispatch', give)).data.item).toMatchObject({
      status: 'in_progress',
    });
    expect((await builder.call('item_start', { item })).isError).toBe(false);
    expect((await builder.call('item_claim', { item })).data).toMatchObject({
      ok: false,
      code: 'gate-closed',
    });
    s.repo.commit({ 'work.txt': `begun ${generation}\n` });
    const claimed = await builder.call('item_claim', { item });
    expect(claimed.text).toContain('Status: CLAIMED. Verification is required before completion.');
    expect(claimed.data.verification).toMatchObject({ item });
    expect((await orchestrator.call('item_complete', { item })).data).toMatchObject({
      ok: false,
      message: 'verification may not be skipped',
    });
    const failed = await verifier.call('item_verify', { item });
    expect(failed.data).toMatchObject({ verdict: 'BLOCKED', item: { status: 'blocked' } });
    expect(failed.text).toContain('TASK BLOCKED');
    expect((await orchestrator.call('item_ack', { item })).isError).toBe(false);
    expect((await orchestrator.call('item_retry', { item })).data.item).toMatchObject({ status: 'pending' });
    s.repo.commit({ 'work.txt': `done ${generation}\n` });
    expect((await builder.call('item_claim', { item })).isError).toBe(false);
    expect((await verifier.call('item_verify', { item })).data).toMatchObject({
      verdict: 'PASSED',
      item: { status: 'verified', independence: 'other-lineage' },
    });
    const completed = await orchestrator.call('item_complete', { item });
    expect(completed.text).toContain(`${item} completed with verification`);
    await Promise.all([orchestrator.close(), builder.close(), verifier.close()]);
  });

  test('a verification that takes longer than a call goes on, and the next call gets its result', async () => {
    const slow = s.repo.commit({
      'work.txt': `done slowly ${generation}\n`,
    });
    expect(slow).toMatch(/^[0-9a-f]{40}$/);
    const builder = await speak('swiftui-developer');
    const verifier = await speak('verification-agent');
    const orchestrator = await speak('orchestrator');
    const { data } = await orchestrator.call('item_add', { title: 'Slow', list: `slow-${generation}` });
    const item = data.item?.id;
    expect((await builder.call('item_claim', { item })).isError).toBe(false);
    const first = await verifier.call('item_verify', { item, wait_seconds: 0 });
    expect(first.data).toMatchObject({ running: true, next: [{ tool: 'item_verify', arguments: { item } }] });
    expect((await verifier.call('item_verify', { item })).data).toMatchObject({ verdict: 'PASSED' });
    await Promise.all([builder.close(), verifier.close(), orchestrator.close()]);
  });

  test('tools, resources and prompts are listed', async () => {
    const { client, close } = await speak('verification-agent');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('item_verify');
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'countersign://guide',
      'countersign://inbox',
    ]);
    expect((await client.listPrompts()).prompts.length).toBe(4);
    await close();
  });
});

describe('a server that cannot begin', () => {
  const ended = (words: readonly string[], cwd = s.repo.top) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = spawn(process.execPath, [program.path, 'mcp', ...words], { cwd, env: s.env });
      const told = { out: '', err: '' };
      child.stdout.on('data', (chunk) => {
        told.out += String(chunk);
      });
      child.stderr.on('data', (chunk) => {
        told.err += String(chunk);
      });
      child.on('close', (code) => resolve({ code, ...told }));
    });

  test.each([
    ['without an actor', [], 'name it'],
    ['for a person', ['--actor', 'ada'], 'no agent'],
    ['for somebody unknown', ['--actor', 'nobody'], 'nobody'],
    ['with an unknown profile', ['--actor', 'orchestrator', '--profile', 'all'], 'known: core, two-phase'],
    ['with an unknown option', ['--actor', 'orchestrator', '--port', '1'], '--port'],
  ] as const)('%s says why on stderr, and nothing on stdout', async (_, words, why) => {
    const { code, out, err } = await ended(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(why);
    expect(err).toContain('next: ');
  });

  test('outside of a repository with a store', async () => {
    const { code, err } = await ended(['--actor', 'orchestrator'], s.repo.root);
    expect([code, err.includes('next: ')]).toEqual([2, true]);
  });
});

test('the server ends with its client, and leaves nothing behind', async () => {
  const child = spawn(process.execPath, [program.path, 'mcp', '--actor', 'orchestrator'], {
    cwd: s.repo.top,
    env: s.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
});

describe('what is no message', () => {
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  /** Answers of a server to lines, until it has given as many; then its pipe is closed. */
  const answers = (text: string, count: number) =>
    new Promise<{ lines: readonly { id: unknown; error?: { code: number } }[]; err: string }>((resolve) => {
      const child = spawn(process.execPath, [program.path, 'mcp', '--actor', 'orchestrator'], {
        cwd: s.repo.top,
        env: s.env,
      });
      const told = { out: '', err: '' };
      child.stdout.on('data', (chunk) => {
        told.out += String(chunk);
        if (told.out.split('\n').length > count) child.stdin.end();
      });
      child.stderr.on('data', (chunk) => {
        told.err += String(chunk);
      });
      child.on('close', () => {
        const lines = told.out.split('\n').filter((line) => line !== '');
        resolve({ lines: lines.map((line) => JSON.parse(line)), err: told.err });
      });
      child.stdin.write(text);
    });

  test('is answered with the error of the specification, and the next one as ever', async () => {
    const text = [
      '{"jsonrpc":"2.0","id":7,"meth',
      '{"jsonrpc":"1.0","id":2,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}',
      '[]',
      '{"jsonrpc":"2.0","id":3}',
      '{"jsonrpc":"2.0","id":"four","method":"tools/list","params":[]}',
      '',
      JSON.stringify(LIST),
    ].join('\n');
    const { lines, err } = await answers(`${text}\n`, 7);
    expect(lines.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [2, -32600],
      [null, -32600],
      [null, -32600],
      [3, -32600],
      ['four', -32600],
      [1, undefined],
    ]);
    expect(err).toBe('');
  });

  test('a byte order mark does no harm', async () => {
    const { lines } = await answers(`\uFEFF${JSON.stringify(LIST)}\n`, 1);
    expect(lines).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }]);
  });

  test('what is cut off by the end of the pipe is told as well', async () => {
    const child = spawn(process.execPath, [program.path, 'mcp', '--actor', 'orchestrator'], {
      cwd: s.repo.top,
      env: s.env,
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    const closed = new Promise((resolve) => child.on('close', resolve));
    child.stdin.end('{"jsonrpc":"2.0","id":7,"meth');
    expect(await closed).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: null, error: { code: -32700 } });
  });
});

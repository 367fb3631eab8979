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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRoster } from '../../src/engine/roster.ts';
import { buildProgram, type Program } from '../cli/program.ts';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from '../two-phase/bring.ts';

// Every run of the checks leaves a line, so that two of them are seen.
const CRITERIA = `schema: countersign/criteria/1
name: default
runs_on: [gpu]
checks:
  - id: slow
    kind: command
    run: [sleep, '1.5']
    report: {format: exit}
  - {id: done, kind: file, path: work.txt, contains: done}
`;

describe('workers', () => {
  let program: Program;
  let s: Session;
  beforeAll(async () => {
    program = buildProgram();
    s = await openSession({ criteria: CRITERIA });
  });
  afterAll(() => {
    s.close();
    program.remove();
  });

  const start = (...words: readonly string[]) => startIn(s.repo.top, ...words);
  const startIn = (cwd: string, ...words: readonly string[]) => {
    const line = [program.path, '--json', '--actor', 'verification-agent', 'work', ...words];
    const child = spawn(process.execPath, line, {
      cwd,
      env: s.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    const ended = once(child, 'close').then(() => {
      const said = JSON.parse(out || '{}') as {
        data?: { worked: { item: string; verdict: string | null }[] };
      };
      return { ...said, err };
    });
    return { child, ended };
  };
  const claimed = async (list: string) => {
    const id = await bring(s, 'in_progress', '--list', list);
    work(s);
    expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
    return id;
  };
  const status = async (id: string) => (await s.say('', 'show', id)).data.status;
  const runsOf = async (id: string) =>
    (await s.events(id)).filter((e) => e.type === 'recorded' && e.kind === 'proof-pack');

  test('checks that ask for a label run on no machine without it, and the refusal names a worker', async () => {
    const id = await claimed('one');
    const said = await s.say('verification-agent', 'verify', id);
    expect(said).toMatchObject({ code: 3 });
    expect(said.out).toContain('countersign work --label gpu');
    const { data } = await start('--once').ended;
    expect(data?.worked).toEqual([]);
    expect(await status(id)).toBe('claimed');
    const done = await start('--once', '--label', 'gpu').ended;
    expect(done.data?.worked).toEqual([expect.objectContaining({ item: id, verdict: 'PASSED' })]);
    expect(await status(id)).toBe('verified');
  });

  test('of several workers one runs each verification', async () => {
    const ids = [await claimed('two'), await claimed('three')];
    const all = await Promise.all(Array.from({ length: 3 }, () => start('--once', '--label', 'gpu').ended));
    const passed = all
      .flatMap(({ data }) => data?.worked ?? [])
      .filter(({ verdict }) => verdict === 'PASSED');
    expect(passed.map(({ item }) => item).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect(await runsOf(id)).toHaveLength(1);
  });

  test('a worker that is killed leaves its verification to the next', async () => {
    const id = await claimed('four');
    const first = start('--label', 'gpu', '--every', '0.2');
    const held = async () =>
      s.with(async ({ ports }) => {
        const row = (await ports.store.items(EVERYTHING)).find(({ list }) => list === 'four');
        return (await ports.store.job('verify', `${row?.id}/1/1`))?.owner ?? '';
      });
    while ((await held()) === '') await new Promise((resolve) => setTimeout(resolve, 50));
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    expect(await status(id)).toBe('claimed');
    const done = await start('--once', '--label', 'gpu').ended;
    expect(done.data?.worked).toEqual([expect.objectContaining({ item: id, verdict: 'PASSED' })]);
    expect(await runsOf(id)).toHaveLength(1);
    expect((await s.say('', 'audit', 'verify')).code).toBe(0);
  });

  test('a worker without a signal goes on, and ends in good order by one', async () => {
    const id = await claimed('five');
    const worker = start('--label', 'gpu', '--every', '0.2');
    while ((await status(id)) !== 'verified') await new Promise((resolve) => setTimeout(resolve, 100));
    worker.child.kill('SIGTERM');
    expect((await worker.ended).data?.worked).toHaveLength(1);
  });

  test.each(['abc', '0', '-1', '1e9'])('a worker does not look every %s seconds', async (every) => {
    const { code, out, err } = await s.text('verification-agent', 'work', '--once', `--every=${every}`);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('is no number of seconds');
  });

  test('a worker whose token was renewed while it ran tries again with the new one', async () => {
    const worker = start('--label', 'gpu', '--every', '0.2');
    const id = await claimed('renewed');
    const jobs = () => s.with(({ ports }) => ports.store.allJobs({ topic: 'verify', key: '' }, 500));
    while (!(await jobs()).some(({ owner, finished }) => owner !== '' && !finished))
      await new Promise((resolve) => setTimeout(resolve, 50));
    const { tokens } = (await s.with(({ ports }) => readRoster(ports))).roster;
    await s.say('', 'token', 'issue', 'verification-agent');
    for (const token of tokens.values())
      if (token.actor === 'verification-agent') await s.say('', 'token', 'revoke', token.id);
    while ((await status(id)) !== 'verified') await new Promise((resolve) => setTimeout(resolve, 100));
    worker.child.kill('SIGTERM');
    // The first came to nothing: what was decided under the old token is not recorded.
    const { data } = await worker.ended;
    expect(data?.worked.map(({ verdict }) => verdict)).toEqual(['PASSED', 'PASSED']);
    expect((await s.say('', 'audit', 'verify')).code).toBe(0);
  });

  test('a worker whose token is good for other items leaves a claim alone, and puts nothing down', async () => {
    const id = await claimed('limited');
    const other = await bring(s, 'in_progress', '--list', 'other');
    await s.say('', 'token', 'issue', 'verification-agent', '--item', other);
    for (const _ of [1, 2]) expect((await start('--once', '--label', 'gpu').ended).data?.worked).toEqual([]);
    expect(await s.refusals(id)).toEqual([]);
    await s.say('', 'token', 'issue', 'verification-agent');
    expect((await start('--once', '--label', 'gpu').ended).data?.worked).toHaveLength(1);
  });

  test('a worker whose clone lacks what was claimed leaves it to others', async () => {
    const id = await claimed('elsewhere');
    const clone = join(s.repo.root, 'clone');
    s.repo.git('clone', '-q', '--single-branch', '-b', 'main', `file://${s.repo.top}`, clone);
    symlinkSync(join(s.repo.top, '.git/countersign'), join(clone, '.git/countersign'));
    const far = await startIn(clone, '--once', '--label', 'gpu').ended;
    expect(far.data?.worked).toEqual([]);
    expect(far.err).toContain(`${id} is left to others`);
    expect(await status(id)).toBe('claimed');
    expect((await start('--once', '--label', 'gpu').ended).data?.worked).toEqual([
      expect.objectContaining({ item: id, verdict: 'PASSED' }),
    ]);
  });

  test('a worker whose token was revoked ends, and verifies nothing more', async () => {
    const worker = start('--label', 'gpu', '--every', '0.2');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { tokens } = (await s.with(({ ports }) => readRoster(ports))).roster;
    for (const { id, actor } of tokens.values())
      if (actor === 'verification-agent') await s.say('', 'token', 'revoke', id);
    const [code] = await once(worker.child, 'exit');
    expect(code).toBe(7);
    const id = await claimed('six');
    expect(await status(id)).toBe('claimed');
  });
});

const EVERYTHING = { list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: 500 };

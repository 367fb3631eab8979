import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRow } from '../../src/engine/handle.ts';
import { openSession, type Session } from '../session.ts';
import { buildProgram, inProcess, type Program } from '../terminal.ts';
import { runs } from '../thoroughness.ts';
import { bring, work } from '../two-phase/bring.ts';

// J02: many real processes at one store.
const RACERS = Array.from({ length: 16 }, (_, n) => `racer-${n}`);
const WRITERS = 8;
const EACH = runs(15, 50);

let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession();
  s.at(new Date(Date.now() - 3_600_000).toISOString());
  for (const racer of RACERS) await s.register(racer, ['specialist', 'verification-agent']);
});
afterAll(() => {
  program.remove();
  s.close();
});

const answerOf = (out: string) => JSON.parse(out) as { ok: boolean; error: { next: readonly string[] } };

test('of sixteen processes that claim one item one wins; fifteen meet a conflict and are told the next step', async () => {
  const id = await bring(s, 'pending');
  work(s);
  const ended = await Promise.all(
    RACERS.map((racer) => inProcess(program, s, ['--actor', racer, '--json', 'claim', id])),
  );
  expect(ended.map((e) => e.code).toSorted()).toEqual([0, ...RACERS.slice(1).map(() => 6)]);
  for (const loser of ended.filter((e) => e.code === 6)) {
    expect(answerOf(loser.out).error.next.join()).toMatch(
      new RegExp(`^countersign --actor racer-\\d+ verify ${id}$`),
    );
  }
  const claims = (await s.events(id)).filter((e) => e.type === 'moved' && e.command === 'claim');
  expect(claims).toHaveLength(1);
  expect(await s.refusals(id)).toHaveLength(15);
  expect((await s.say('', 'show', id)).data.claimed_by).toBe(claims[0]?.by);
});

test('of six processes that verify one claim one runs the checks, and the item moves once', async () => {
  const id = await bring(s, 'claimed', '--list', 'other');
  const ended = await Promise.all(
    RACERS.slice(0, 6).map((racer) => inProcess(program, s, ['--actor', racer, 'verify', id])),
  );
  expect(ended.map((e) => e.code).toSorted()).toEqual([0, 6, 6, 6, 6, 6]);
  const runs = (await s.events(id)).filter((e) => e.type === 'recorded' && e.kind === 'proof-pack');
  expect(runs).toHaveLength(1);
});

test('a verification whose process was killed decided nothing, and the next one runs at once', async () => {
  const slow = await openSession({
    criteria: `schema: countersign/criteria/1
name: default
checks:
  - {id: slow, kind: command, run: [sleep, '4'], report: {format: exit}}
`,
  });
  slow.at(new Date(Date.now() - 3_600_000).toISOString());
  const id = await bring(slow, 'claimed');
  const before = await slow.snapshot(id);
  const words = [program.path, '--actor', 'verification-agent', 'verify', id];
  const child = spawn(process.execPath, words, { cwd: slow.repo.top, env: slow.env, stdio: 'ignore' });
  const gone = new Promise((resolve) => child.on('close', resolve));
  await waitFor(() => jobTaken(slow, id));
  expect((await inProcess(program, slow, words.slice(1))).code).toBe(6);
  child.kill('SIGKILL');
  await gone;
  expect(await slow.snapshot(id)).toBe(before);
  expect((await inProcess(program, slow, words.slice(1))).code).toBe(0);
  slow.close();
});

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 200; n++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not come about');
}

const jobTaken = (session: Session, id: string) =>
  session.with(async ({ ports }) => {
    const row = await findRow(ports, id);
    return (await ports.store.job('verify', `${row.id}/1/1`))?.owner !== '';
  });

test(`eight processes that add ${EACH} items each lose none and give no id twice`, async () => {
  const before = (await s.say('', 'list')).data.progress as { total: number };
  const written = await Promise.all(Array.from({ length: WRITERS }, (_, n) => addMany(n)));
  const ids = written.flatMap((out) =>
    out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { data: { id: string } }).data.id),
  );
  expect(new Set(ids).size).toBe(WRITERS * EACH);
  const { progress } = (await s.say('', 'list', '--limit', '1')).data;
  expect(progress).toMatchObject({ total: before.total + WRITERS * EACH });
  const rows = await s.with(({ ports }) => ports.store.allItems(0, 1_000));
  expect(rows.map((row) => row.number)).toEqual(rows.map((_, n) => n + 1));
});

/** One shell that starts the program again and again, as an agent does. */
function addMany(writer: number): Promise<string> {
  const start = `'${process.execPath}' '${program.path}' --actor orchestrator --json add`;
  const line = `set -e; i=0; while [ $i -lt ${EACH} ]; do ${start} "Item ${writer} $i"; i=$((i+1)); done`;
  const child = spawn('sh', ['-c', line], {
    cwd: s.repo.top,
    env: s.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`exit ${code}: ${out.slice(-500)}`)),
    );
  });
}

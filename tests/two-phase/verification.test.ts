import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Ports, RunFinding } from '../../src/engine/ports.ts';
import { openSession, type Session, type Setting } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// Section G: phase 2, the verification.
let s: Session;
const open = async (setting: Partial<Setting> = {}) => {
  s = await openSession(setting);
};
afterEach(() => s.close());
const VERIFIER = 'verification-agent';

/** The real runner, with every run counted or its answer spoilt. */
const watched = (seen: (run: RunFinding) => RunFinding) => (ports: Ports) => ({
  ...ports,
  runner: {
    ...ports.runner,
    run: async (q: Parameters<Ports['runner']['run']>[0]) => seen(await ports.runner.run(q)),
  },
});

test('2PC-59: the claimed items are listed, and no others', async () => {
  await open();
  for (const list of ['a', 'b', 'c']) await bring(s, 'pending', '--list', list);
  const claimed = [await bring(s, 'claimed', '--list', 'd'), await bring(s, 'claimed', '--list', 'e')];
  const { items } = (await s.say('orchestrator', 'list', '--state', 'claimed')).data as unknown as {
    items: { id: string }[];
  };
  expect(items.map((i) => i.id)).toEqual(claimed);
});

test('2PC-60: two claimed items and two scans at once are two verifications, not four', async () => {
  let runs = 0;
  await open({
    wrap: watched((run) => {
      runs += 1;
      return run;
    }),
  });
  const ids = [await bring(s, 'claimed', '--list', 'a'), await bring(s, 'claimed', '--list', 'b')];
  const scan = () => Promise.all(ids.map((id) => s.say(VERIFIER, 'verify', id)));
  const said = (await Promise.all([scan(), scan()])).flat();
  expect(said.map((one) => one.code).toSorted()).toEqual([0, 0, 6, 6]);
  expect(runs).toBe(2);
  for (const id of ids) expect((await s.say('', 'show', id)).data.status).toBe('verified');
});

test('2PC-60: a claim puts one job into the queue of verifications, however often it is looked at', async () => {
  await open();
  await bring(s, 'claimed', '--list', 'a');
  await bring(s, 'claimed', '--list', 'b');
  const taken = await s.with(async ({ ports }) => {
    const later = new Date(ports.clock().getTime() + 60_000).toISOString();
    const scan = (who: string) => ports.store.claim('verify', ports.clock().toISOString(), 10, later, who);
    return [await scan('one'), await scan('two')].map((jobs) => jobs.length);
  });
  expect(taken).toEqual([2, 0]);
});

test('2PC-61: the verifier is handed the item, the criteria that judge it and the evidence, and all of it is there', async () => {
  await open();
  const id = await bring(s, 'in_progress');
  work(s);
  s.repo.write('shot.png', 'png');
  await s.say(DEVELOPER, 'claim', id, '--evidence', 'shot.png');
  const told = (await s.say(VERIFIER, 'next')).data.next as Record<string, unknown>[];
  const handed = told[0]?.verification as Handed;
  expect(told[0]).toMatchObject({ id, command: `countersign --actor ${VERIFIER} verify ${id}` });
  await s.with(async ({ ports }) => {
    const job = await ports.store.job('verify', `${(await ports.store.itemByNumber(1))?.id}/1/1`);
    expect(JSON.parse(job?.payload ?? '')).toEqual(handed);
    expect(handed.item).toBe(id);
    const text = ports.git.readAt(handed.criteria.commit, handed.criteria.path)?.toString('utf8');
    expect(text).toContain('work.txt');
    expect(ports.evidence.get(handed.evidence[0]?.sha256 ?? '')?.toString()).toBe('png');
  });
});

interface Handed {
  readonly item: string;
  readonly criteria: { readonly commit: string; readonly path: string };
  readonly evidence: readonly { readonly sha256: string }[];
}

test('2PC-63: the log of a run has its four parts in order', async () => {
  await open();
  const id = await bring(s, 'verified');
  const run = (await s.events(id)).find((e) => e.type === 'recorded' && e.kind === 'proof-pack');
  expect(run?.type === 'recorded' && run.facts.steps).toMatchObject([
    { step: 'load criteria' },
    { step: 'run checks' },
    { step: 'generate proof pack' },
    { step: 'update item' },
  ]);
});

test('2PC-63: where the proof pack cannot be written the item is not updated, and can be verified afterwards', async () => {
  await open();
  const id = await bring(s, 'claimed');
  const before = await s.snapshot(id);
  const folder = join(s.repo.top, '.git/countersign/proofpacks');
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, 'in the way');
  expect((await s.say(VERIFIER, 'verify', id)).code).not.toBe(0);
  expect(await s.snapshot(id)).toBe(before);
  rmSync(folder);
  mkdirSync(folder);
  expect((await s.say(VERIFIER, 'verify', id)).data.status).toBe('verified');
});

test('2PC-64: without criteria nothing is verified: an error, and the item stays claimed', async () => {
  await open({ criteria: '' });
  const id = await bring(s, 'claimed');
  const refused = await s.say(VERIFIER, 'verify', id);
  expect([refused.code, refused.error.message]).toEqual([
    3,
    'there are no completion criteria on the base commit',
  ]);
  expect(refused.error.missing).toMatchObject([{ guard: 'criteria', status: 'error' }]);
  expect((await s.say('', 'show', id)).data.status).toBe('claimed');
});

test('2PC-65: a pass stores status, verifier, time and proof pack by one write', async () => {
  await open();
  const id = await bring(s, 'claimed');
  const said = await s.say(VERIFIER, 'verify', id);
  expect(said.data).toMatchObject({
    status: 'verified',
    verified_by: VERIFIER,
    verified_at: s.now(),
    proofpack: expect.stringMatching(/proofpacks\/login-screen-.*\.json$/),
  });
  expect(await commandsOf('proof-pack', 'verified')).toHaveLength(1);
});

test('2PC-66: a failed check stores the same, blocked, with its failures, by one write', async () => {
  await open();
  const said = (await s.say('', 'show', await bring(s, 'blocked'))).data;
  expect(said).toMatchObject({
    status: 'blocked',
    verified_by: VERIFIER,
    failures: [expect.stringMatching(/^done - /)],
  });
  expect(readFileSync(join(s.repo.top, String(said.proofpack)), 'utf8')).toContain('BLOCKED');
  expect(await commandsOf('proof-pack', 'blocked')).toHaveLength(1);
});

/** The commands behind the events that contain one of the words. */
async function commandsOf(kind: string, state: string): Promise<readonly string[]> {
  const stored = await s.with(async ({ ports }) =>
    ports.store.read(`item/${(await ports.store.itemByNumber(1))?.id}`),
  );
  const about = stored.filter(
    (e) => e.body.includes(`"kind":"${kind}"`) || e.body.includes(`"to":"${state}"`),
  );
  expect(about).toHaveLength(2);
  return [...new Set(about.map((e) => e.command))];
}

test('2PC-67: a block without a failed check is refused, and so is a pass with one', async () => {
  const asFailed = (run: RunFinding): RunFinding => ({ ...run, verdict: 'fail' });
  const asPassed = (run: RunFinding): RunFinding => ({ ...run, verdict: 'pass' });
  for (const [spoil, good] of [
    [asFailed, true],
    [asPassed, false],
    [(run: RunFinding) => ({ ...asPassed(run), checks: [] }), true],
  ] as const) {
    await open({ wrap: watched(spoil) });
    const id = await bring(s, 'in_progress');
    work(s, good);
    await s.say(DEVELOPER, 'claim', id);
    const before = await s.snapshot(id);
    expect((await s.say(VERIFIER, 'verify', id)).code).toBe(3);
    expect(await s.snapshot(id)).toBe(before);
    if (spoil !== asFailed) continue;
    s.close();
  }
});

test('2PC-68: on a verified item the orchestrator is told to complete it, or what quality validation lacks', async () => {
  await open();
  const plain = await bring(s, 'verified');
  expect((await s.say('orchestrator', 'next')).data.next).toMatchObject([
    { id: plain, command: `countersign --actor orchestrator complete ${plain}` },
  ]);
  await s.say('orchestrator', 'complete', plain);
  const careful = await bring(s, 'verified', '--quality');
  const told = (await s.say('orchestrator', 'next')).data;
  expect(told.next).toEqual([]);
  expect(told.waiting).toMatchObject([
    { id: careful, missing: [{ because: 'there is no quality verdict' }] },
  ]);
});

test('2PC-69: on a blocked item the orchestrator meets a hard block with the failures, and nothing of that list goes on', async () => {
  await open();
  const other = await bring(s, 'pending');
  const id = await bring(s, 'blocked');
  const told = await s.say('orchestrator', 'next');
  expect(told.data.blocked).toMatchObject([
    { id, status: 'blocked', failures: [expect.stringMatching(/^done - /)] },
  ]);
  expect((told.data.next as { id: string }[]).map((n) => n.id)).toEqual([]);
  expect((await s.text('orchestrator', 'next')).out).toContain(`TASK BLOCKED: verification failed for ${id}`);
  expect((await s.say('orchestrator', 'dispatch', other, '--to', DEVELOPER)).code).toBe(3);
});

import { afterEach, expect, test } from 'vitest';
import { CONFIG, LEAD } from '../phases/stage.ts';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// What is moved to another table leaves nothing of itself behind that others would wait for.
let s: Session;
const WHY = ['--reason', 'it needs a plan first'];
afterEach(() => s.close());

test('a blocked item that another has taken the place of no longer halts its list', async () => {
  s = await openSession();
  const blocked = await bring(s, 'blocked');
  const waiting = (await s.say('orchestrator', 'add', 'Draw the icons')).data.id;
  const give = () => s.say('orchestrator', 'dispatch', waiting, '--to', DEVELOPER);
  expect(JSON.stringify((await give()).error)).toContain(`none may be: ${blocked}`);
  const refused = await s.say('orchestrator', 'protocol', 'migrate', blocked, '--to', 'lifecycle', ...WHY);
  expect(refused.error).toMatchObject({
    code: 'NO_CREDENTIAL',
    message: expect.stringContaining('by a person alone'),
    hint: expect.stringContaining("--reason 'it needs a plan first'"),
  });
  const moved = await s.say('', 'protocol', 'migrate', blocked, '--to', 'lifecycle', ...WHY);
  expect(moved.code, moved.err).toBe(0);
  expect((await give()).code).toBe(0);
  expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
});

test('whoever waited for it waits for the one that took its place', async () => {
  s = await openSession();
  const first = await bring(s, 'pending');
  const second = (await s.say('orchestrator', 'add', 'Draw the icons', '--depends-on', first)).data.id;
  const moved = await s.say('', 'protocol', 'migrate', first, '--to', 'lifecycle', ...WHY);
  const { to } = moved.data as { to?: { id: string } };
  const refused = await s.say('orchestrator', 'dispatch', second, '--to', DEVELOPER);
  expect(JSON.stringify(refused.error)).toContain(to?.id);
  expect(JSON.stringify(refused.error)).not.toContain(`${first} `);
  expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
});

test('what waits for something that was replaced is moved itself, and waits for what took its place', async () => {
  s = await openSession();
  const first = await bring(s, 'pending');
  const second = (await s.say('orchestrator', 'add', 'Draw the icons', '--depends-on', first)).data.id;
  const move = async (id: string, to: string) => {
    const { data, err } = await s.say('', 'protocol', 'migrate', id, '--to', to, ...WHY);
    expect(err).toBe('');
    return (data.to as { id: string }).id;
  };
  await move(await move(first, 'lifecycle'), 'two-phase');
  const now = await move(second, 'lifecycle');
  expect((await s.say('', 'show', now)).data.depends_on).toEqual(['T-4']);
  expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
});

test('what waits for another is neither moved to a table that does not wait nor added under one', async () => {
  s = await openSession();
  const first = await bring(s, 'pending');
  const second = await bring(s, 'pending', '--depends-on', first);
  const staged = ['--protocol', 'staged', '--depends-on'];
  const told = `what follows the protocol staged waits for nothing: it cannot depend on ${first}`;
  const moved = await s.say('', 'protocol', 'migrate', second, '--to', 'staged', ...WHY);
  expect([moved.code, moved.error.message]).toEqual([2, told]);
  const added = await s.say('', 'add', 'Draw the icons', ...staged, first);
  expect([added.code, added.error.message]).toEqual([2, told]);
  expect((await s.say('', 'list')).data.items).toHaveLength(2);
  await s.say('', 'protocol', 'migrate', first, '--to', 'lifecycle', ...WHY);
  const late = await s.say('', 'add', 'Draw the icons', ...staged, first);
  expect(late.error.message).toContain('was superseded by T-3');
  const done = await bring(s, 'verified', '--list', 'b');
  expect((await s.say('', 'add', 'Draw the icons', ...staged, done)).code).toBe(0);
});

test('a task in phases is not moved away from its phases', async () => {
  s = await openSession({ agents: { [LEAD]: ['orchestrator'] }, config: CONFIG() });
  const task = String((await s.say(LEAD, 'phase', 'plan', 'Tell', '--phase', 'Words')).data.task_id);
  const moved = await s.say('', 'protocol', 'migrate', task, '--to', 'two-phase', ...WHY);
  expect([moved.code, moved.error.message]).toEqual([2, `the phases of ${task} would be left without it`]);
});

test('both items say which took the place of which, from which table to which, and why', async () => {
  s = await openSession();
  const old = await bring(s, 'pending');
  const bare = await s.say('', 'protocol', 'migrate', old, '--to', 'lifecycle', '--reason', ' ');
  expect(bare.error.message).toContain('takes a reason');
  const { to } = (await s.say('', 'protocol', 'migrate', old, '--to', 'lifecycle', ...WHY)).data as {
    to?: { id: string };
  };
  const now = to?.id ?? '';
  const [twoPhase, lifecycle] = [
    {
      name: 'two-phase',
      version: expect.stringMatching(/^\d/),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    {
      name: 'lifecycle',
      version: expect.stringMatching(/^\d/),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ];
  const [opened] = await s.events(now);
  expect(opened).toMatchObject({
    protocol: lifecycle,
    facts: { migrated_from: { item: old, protocol: twoPhase, state: 'pending', reason: WHY[1] } },
  });
  expect((await s.events(old)).at(-1)).toMatchObject({
    ...{ type: 'linked', kind: 'superseded-by', to: now },
    facts: { from: twoPhase, to: lifecycle, reason: WHY[1] },
  });
  const there = await s.text('', 'show', now);
  expect(there.out).toMatch(
    new RegExp(`took the place of ${old} \\(two-phase [\\d.]+, pending\\), because: it needs a plan first`),
  );
  const gone = await s.text('', 'show', old);
  expect(gone.out).toContain('state PENDING (replaced)');
  expect(gone.out).toMatch(
    new RegExp(`replaced by ${now} \\(from two-phase [\\d.]+ to lifecycle [\\d.]+\\), because: it needs`),
  );
  expect((await s.say('', 'show', now)).data.migrated_from).toMatchObject({ item: old, reason: WHY[1] });
  expect((await s.say('', 'show', old)).data.migrated_to).toMatchObject({ item: now, reason: WHY[1] });
  expect((await s.text('', 'log', now)).out).toMatch(
    /in the place of T-1 \(two-phase [\d.]+\): it needs a plan/,
  );
  expect((await s.text('', 'log', old)).out).toMatch(/superseded-by T-2 \(two-phase [\d.]+ > lifecycle /);
  expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
});

test('what was replaced is not listed as open, and nobody is sent to it', async () => {
  s = await openSession({
    config: 'settings: {acknowledge: orchestrator}\nallowances: {lifecycle: {pending: 1}}\n',
  });
  const old = (await s.say('', 'add', 'Draw the icons', '--protocol', 'lifecycle')).data.id;
  s.at('2025-10-25T21:00:00Z');
  expect((await s.say('', 'list', '--stuck')).data.items).toHaveLength(1);
  await s.say('', 'protocol', 'migrate', old, '--to', 'two-phase', ...WHY);
  const listed = await s.text('', 'list');
  expect(listed.out).toMatch(/^T-1\s+REPLACED\s+-\s+Draw the icons \(by T-2\)$/m);
  expect(listed.out).toContain('0 of 1 done, 1 superseded (1 pending)');
  expect((await s.say('', 'list')).data).toMatchObject({
    items: [{ id: old, superseded_by: 'T-2' }, { id: 'T-2' }],
    progress: { byState: { pending: 1 } },
  });
  expect((await s.say('', 'list', '--stuck')).data.items).toEqual([]);
  expect((await s.say('', 'list', '--assert-done')).error).toMatchObject({ open: [{ item: 'T-2' }] });
  expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
});

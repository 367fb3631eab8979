import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayLead } from '../../src/kernel/edges.ts';
import { lifecycle } from '../../src/protocols/lifecycle.ts';
import type { Session } from '../session.ts';
import {
  add,
  bring,
  CREW,
  FORWARD,
  lead,
  MEMBERS,
  move,
  must,
  ORDER,
  onward,
  openLifecycle,
  stateOf,
  work,
} from './crew.ts';

// Section B: the nine steps forward, each of one role. Section H: what is not listed is refused.
let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

describe('LIFE-37: each step forward is one role’s; another role is refused, and told whose it is', () => {
  let id = '';
  beforeAll(async () => {
    id = await add(s);
  });
  const rows = [
    'LIFE-28',
    'LIFE-29',
    'LIFE-30',
    'LIFE-31',
    'LIFE-32',
    'LIFE-33',
    'LIFE-34',
    'LIFE-35',
    'LIFE-36',
  ];
  test.each(ORDER.map((from, n) => [rows[n] ?? '', from, ...FORWARD[from]] as const))(
    '%s, LIFE-37: out of %s only the %s takes the step %s, into %s',
    async (_, from, owner, __, to) => {
      const before = await s.snapshot(id);
      for (const by of MEMBERS.filter((name) => name !== owner)) {
        const { code, error } = await onward(s, id, from, by);
        expect([by, code, error.code]).toEqual([by, 7, 'wrong-role']);
        expect(error.message).toContain(CREW[owner][0]);
      }
      expect(await s.snapshot(id)).toBe(before);
      const taken = must(await onward(s, id, from));
      expect(taken.data.status).toBe(to);
    },
  );
});

test('LIFE-33: without what shows the self-checks there is no review, nor with a file that is not there', async () => {
  const id = await bring(s, 'testing');
  const bare = await move(s, 'developer', id, 'ask-review');
  expect([bare.code, bare.error.missing.map((m) => m.guard)]).toEqual([3, ['probe']]);
  expect((await move(s, 'developer', id, 'ask-review', '--evidence', 'nowhere.txt')).code).toBe(3);
  expect(await stateOf(s, id)).toBe('testing');
  expect((await onward(s, id, 'testing')).data.status).toBe('quality_review');
  const kept = (await s.events(id)).find((e) => e.type === 'moved' && e.command === 'ask-review');
  expect(kept).toMatchObject({
    facts: { evidence: [{ path: 'self-check.txt', sha256: expect.any(String) }] },
  });
});

test('LIFE-34: work that its checks refuse is not approved, whatever the monitor says; nor by its own developer', async () => {
  const id = await bring(s, 'in_progress');
  work(s, id, false);
  must(await move(s, 'developer', id, 'finish'));
  must(await onward(s, id, 'testing'));
  expect((await move(s, 'monitor', id, 'approve')).code).toBe(3);
  expect((await move(s, 'developer', id, 'approve')).code).toBe(7);
  const verdict = await s.say('monitor', 'verify', id);
  expect([verdict.code, verdict.data.verdict, verdict.data.status]).toEqual([4, 'BLOCKED', 'in_progress']);
});

test('LIFE-34: whoever built it does not approve it, though they hold the monitor’s role as well', async () => {
  await s.register('both', ['fullstack-developer', 'quality-monitor']);
  const id = await bring(s, 'validated');
  must(await onward(s, id, 'validated', 'both'));
  work(s, id);
  must(await move(s, 'both', id, 'finish'));
  must(await onward(s, id, 'testing', 'both'));
  const own = await s.say('both', 'verify', id);
  expect([own.code, own.error.missing[0]?.guard]).toEqual([3, expect.stringContaining('apart')]);
  expect((await s.say('monitor', 'verify', id)).data.status).toBe('approved');
});

test('LIFE-36: a commit that does not exist, or that holds something else, completes nothing', async () => {
  const id = await bring(s, 'committing');
  const good = s.repo.git('rev-parse', 'HEAD');
  const other = s.repo.commit({ 'work.txt': 'something else\n' });
  for (const commit of ['f'.repeat(40), 'main-ish', other]) {
    const { code } = await move(s, 'git', id, 'committed', '--commit', commit);
    expect([commit, code]).toEqual([commit, 3]);
  }
  expect((await move(s, 'git', id, 'committed')).code).toBe(2);
  expect((await move(s, 'git', id, 'committed', '--commit', good)).data.status).toBe('completed');
});

test('LIFE-36: of work on more than 500 files each one is looked for', async () => {
  const id = await bring(s, 'in_progress');
  const many = Object.fromEntries(Array.from({ length: 520 }, (_, n) => [`many/${n}.txt`, 'done\n']));
  s.repo.commit(many);
  await lead(s, id, 'committing');
  const good = s.repo.git('rev-parse', 'HEAD');
  const last = Object.keys(many).sort().at(-1) ?? '';
  const other = s.repo.commit({ [last]: 'something else\n' });
  const refused = await move(s, 'git', id, 'committed', '--commit', other);
  expect([refused.code, refused.error.missing[0]?.because]).toEqual([3, expect.stringContaining(last)]);
  expect((await move(s, 'git', id, 'committed', '--commit', good)).data.status).toBe('completed');
});

test('LIFE-36: where the verified commit is gone, a commit that lacks its work is no such commit', async () => {
  const own = await openLifecycle();
  const id = await bring(own, 'committing');
  own.repo.git('checkout', '-q', 'main');
  own.repo.git('branch', '-D', 'work');
  own.repo.git('reflog', 'expire', '--expire=now', '--all');
  own.repo.git('gc', '-q', '--prune=now');
  const refused = await move(own, 'git', id, 'committed', '--commit', 'main');
  expect([refused.code, refused.error.missing[0]?.because]).toEqual([
    3,
    expect.stringContaining('is not in this repository'),
  ]);
  own.close();
});

test('LIFE-36: a commit may be named as git names it; what is kept is its full id', async () => {
  const id = await bring(s, 'committing');
  const good = s.repo.git('rev-parse', 'HEAD');
  s.repo.git('tag', 'release');
  s.repo.commit({ 'work.txt': 'something else\n' });
  s.repo.git('branch', 'release');
  const because = async (commit: string) =>
    (await move(s, 'git', id, 'committed', '--commit', commit)).error.missing.map((m) => m.because).join();
  expect(await because('HEAD')).toMatch(/^[0-9a-f]{12} holds something else at self-check.txt, work.txt$/);
  expect(await because('nowhere')).toBe('there is no commit nowhere');
  expect(await because('release')).toBe('release is the name of more than one commit');
  expect((await move(s, 'git', id, 'committed', '--commit', 'work~1')).data.status).toBe('completed');
  expect((await s.events(id)).at(-1)).toMatchObject({ command: 'committed', facts: { committed: good } });
});

test('LIFE-90: states are not skipped: of all steps forward only the one of the state is taken', async () => {
  for (const at of ['pending', 'planning', 'in_progress', 'approved'] as const) {
    const id = await bring(s, at);
    const before = await s.snapshot(id);
    for (const from of ORDER.filter((state) => state !== at)) {
      const [by] = FORWARD[from];
      for (const who of [by, 'orchestrator']) {
        const { code } = await onward(s, id, from, who);
        expect([at, from, who, code === 6 || code === 7]).toEqual([at, from, who, true]);
      }
    }
    expect(await s.snapshot(id)).toBe(before);
  }
});

test('LIFE-108: a step without a reason is refused, and so is one with blanks for a reason', async () => {
  const id = await add(s);
  for (const reason of ['', '   ']) {
    const { code, error } = await s.say('orchestrator', 'move', id, 'assign', '--reason', reason);
    expect([code, error.code, error.message]).toEqual([2, 'bad-arguments', 'assign needs reason']);
  }
  for (const row of lifecycle.rows)
    expect([row.command, row.takes.some((name) => name === 'reason' || name === 'guidance')]).toEqual([
      row.command,
      true,
    ]);
  expect((await s.events(id)).every((e) => e.type !== 'moved')).toBe(true);
});

// What leads where, written down from the tables of the ledger and CL-05 to CL-09, not from the product's.
const ANY = [...ORDER];
const LISTED: { readonly [from: string]: readonly string[] } = {
  pending: ['pending', 'assigned', 'cto_intervention'],
  assigned: ['assigned', 'planning', 'cto_intervention'],
  planning: ['planning', 'validated', 'cto_intervention'],
  validated: ['validated', 'in_progress', 'cto_intervention'],
  in_progress: ['in_progress', 'testing', 'cto_intervention'],
  testing: ['in_progress', 'quality_review', 'cto_intervention'],
  quality_review: ['in_progress', 'approved', 'cto_intervention'],
  approved: ['approved', 'committing', 'cto_intervention'],
  committing: ['in_progress', 'completed', 'cto_intervention'],
  completed: [],
  cto_intervention: [...ANY, 'human_escalation'],
  human_escalation: [...ANY.slice(0, 7), 'failed'],
  failed: [],
};

test('LIFE-94, LIFE-91: of all pairs of states exactly those of the tables are legal; unknown states are not', async () => {
  const states = Object.keys(LISTED);
  for (const from of states)
    expect([from, states.filter((to) => mayLead(lifecycle, from, to)).toSorted()]).toEqual([
      from,
      [...(LISTED[from] ?? [])].toSorted(),
    ]);
  for (const [from, to] of [
    ['pending', 'shipped'],
    ['shipped', 'pending'],
    ['', ''],
    ['__proto__', 'constructor'],
  ])
    expect(mayLead(lifecycle, from ?? '', to ?? '')).toBe(false);
  const yes = await s.say('planner', 'protocol', 'allows', 'lifecycle', 'pending', 'assigned');
  expect([yes.code, yes.data.legal]).toEqual([0, true]);
  const no = await s.say('planner', 'protocol', 'allows', 'lifecycle', 'pending', 'in_progress');
  expect([no.code, no.data.legal]).toEqual([6, false]);
});

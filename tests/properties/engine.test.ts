import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unsoundnessWithAudit } from '../../bench/crash/soundness.ts';
import { isClaim } from '../../src/engine/gates.ts';
import { loadItem } from '../../src/engine/handle.ts';
import type { Ports } from '../../src/engine/ports.ts';
import type { ItemEvent, Json } from '../../src/kernel/event.ts';
import { expand } from '../../src/kernel/protocol.ts';
import { openSession, type Session } from '../session.ts';

// The invariants that the kernel has no notion of, with the real store, real git and real runs: I4, one holder of a run and
// writes that carry their version; I8, every file of a proof is there; I9, the criteria of the claim; I10, the fold of the
// log; I11, a command is applied once, however often it arrives. Two actors always act at the same moment.
const LEAD = ['lead', 'workflow-orchestrator', 'build-orchestrator', 'plan-manager', 'cto'];
const MAKER = ['builder', 'specialist', 'fullstack-developer'];
const JUDGE = [
  ...['reviewer', 'verifier', 'verification-agent', 'quality-validator'],
  ...['quality-monitor', 'solution-validator', 'git-manager'],
];
const TEAM = { lin: LEAD, ben: MAKER, cleo: JUDGE, dana: JUDGE };
const ACTORS = [...Object.keys(TEAM), 'kid'];
const ITEMS = ['T-1', 'T-2', 'T-4', 'T-5', 'GOAL-3'];
const CRITERIA = '.countersign/criteria/default.yaml';

interface Throw {
  readonly item: number;
  readonly pick: number;
  readonly who: readonly [number, number];
  readonly odd: number;
}

const throws: fc.Arbitrary<Throw> = fc.record({
  item: fc.nat(839),
  pick: fc.nat(839),
  who: fc.tuple(fc.nat(839), fc.nat(839)),
  odd: fc.nat(19),
});

/** Every write is sent twice, as a caller does who heard no answer. */
const twice = (ports: Ports): Ports => ({
  ...ports,
  store: new Proxy(ports.store, {
    get(target, key) {
      if (key === 'commit')
        return async (commit: Parameters<Ports['store']['commit']>[0]) => {
          const first = await target.commit(commit);
          const again = await target.commit(commit);
          if (first.kind === 'committed') expect(again.kind).toBe('duplicate');
          return first;
        };
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }),
});

async function opened(): Promise<Session> {
  const s = await openSession({ agents: TEAM, wrap: twice, files: { 'work.txt': 'done\n' } });
  await s.register('kid', JUDGE, 'ben');
  for (const words of [
    ['add', 'An item'],
    ['add', 'A longer one', '--protocol', 'lifecycle'],
    ['goal', 'create', 'A goal'],
    ['add', 'A task', '--goal', 'T-3'],
    ['add', 'Another task', '--goal', 'T-3'],
  ])
    expect((await s.say('lin', ...words)).code).toBe(0);
  s.repo.write('note.txt', 'looked at\n');
  return s;
}

/** A command that leads out of the item's state, mostly; two actors give it at once. */
async function play(s: Session, { item, pick, who, odd }: Throw, n: number) {
  const ref = ITEMS[item % ITEMS.length] ?? '';
  if (odd === 0) return stricter(s, n);
  const { protocol, item: now } = await s.with(({ ports }) => loadItem(ports, ref));
  const rows = protocol.rows.filter((r) => r.command !== '' && expand(protocol, r.from).includes(now.state));
  const all = odd === 1 ? protocol.rows : rows;
  const command = all[pick % Math.max(1, all.length)]?.command || 'dance';
  const branch = `w-${ref}`;
  s.repo.git('checkout', '-q', '-B', branch, 'main');
  const sha = s.repo.commit({ [`${ref}.txt`]: `${n}\n`, 'work.txt': pick % 5 === 0 ? 'begun\n' : 'done\n' });
  if (now.protocol.name === 'goal-task' && pick % 2 === 0 && now.state === 'verified') merge(s, branch);
  const to = rows.some((r) => r.command === command && r.to.startsWith('*')) ? 'planning' : 'ben';
  const rest = ['--reason', 'said', '--guidance', 'so', '--to', command === 'rollback' ? 'planning' : to];
  const more = ['--arg', 'summary=done', 'notes=tried', 'task=T-4', '--evidence', 'note.txt'];
  const gate = protocol.gates.some((g) => g.in === now.state && [g.pass, g.fail].includes(command));
  const commit = command === 'committed' ? ['--commit', sha] : [];
  const words = gate ? ['verify', ref] : ['move', ref, command, ...rest, ...more, ...commit];
  const roles = rows.filter((r) => r.command === command).flatMap((r) => r.by);
  const state = protocol.states[now.state]?.owner ?? '';
  const able = ACTORS.filter((id) =>
    [...roles, state].some((role) => (TEAM as Record<string, string[]>)[id]?.includes(role)),
  );
  const [one, other] = who.map((w) => {
    const from = w % 5 === 0 || able.length === 0 ? ACTORS : able;
    return from[w % from.length] ?? 'lin';
  });
  await Promise.all([s.say(one ?? '', ...words), s.say(other ?? '', ...words)]);
}

function merge(s: Session, branch: string) {
  s.repo.git('checkout', '-q', 'main');
  s.repo.git('merge', '-q', '-X', 'theirs', '-m', 'merge', branch);
}

/** The criteria on the default branch change under the work that is on its way. */
async function stricter(s: Session, n: number) {
  s.repo.git('checkout', '-q', 'main');
  s.repo.commit({
    [CRITERIA]: `schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: done-${n}, kind: file, path: work.txt, contains: done}\n`,
  });
}

/** I9: every verdict was found with the criteria that its claim had frozen. */
function otherCriteria(events: readonly ItemEvent[]): readonly Json[] {
  let frozen: Json = null;
  const wrong: Json[] = [];
  for (const event of events) {
    if (event.type === 'moved' && isClaim(event)) frozen = event.facts.criteria ?? null;
    if (event.type !== 'recorded' || event.kind !== 'proof-pack') continue;
    if (JSON.stringify(event.facts.criteria) !== JSON.stringify(frozen)) wrong.push(frozen);
  }
  return wrong;
}

/** I4: of what was found about one claim, one counts. */
function doubled(events: readonly ItemEvent[]): number {
  let packs = 0;
  let most = 0;
  for (const event of events) {
    if (event.type === 'moved') packs = 0;
    if (event.type === 'recorded' && event.kind === 'proof-pack') packs += 1;
    most = Math.max(most, packs);
  }
  return most;
}

const games = fc.sample(fc.array(throws, { minLength: 60, maxLength: 60 }), { seed: 20_251_028, numRuns: 2 });

describe.each(games.map((dice, n) => ({ n, dice })))('a game of the whole engine, $n', ({ dice }) => {
  it('I4, I8, I9, I10, I11: two at once and every write twice: the store is sound', {
    timeout: 120_000,
  }, async () => {
    const s = await opened();
    for (const [n, one] of dice.entries()) await play(s, one, n);
    expect(await s.with(({ ports }) => unsoundnessWithAudit(ports))).toEqual([]);
    const logs = await Promise.all(ITEMS.map((ref) => s.events(ref)));
    expect(logs.flatMap(otherCriteria)).toEqual([]);
    expect(Math.max(...logs.map(doubled))).toBeLessThanOrEqual(1);
    // It was a game at all.
    expect(logs.flat().filter((e) => e.type === 'moved').length).toBeGreaterThan(20);
    expect(logs.flat().some((e) => e.type === 'recorded' && e.kind === 'proof-pack')).toBe(true);
    s.close();
  });
});

it('I9: the look at the criteria finds a verdict that was found with others', () => {
  const common = { at: '', by: 'x', proof: '', facts: {} };
  const claim = { ...common, type: 'moved', facts: { tree: 't', criteria: { digest: 'a' } } };
  const pack = { ...common, type: 'recorded', kind: 'proof-pack', facts: { criteria: { digest: 'b' } } };
  expect(otherCriteria([claim, pack] as unknown as ItemEvent[])).toHaveLength(1);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unsoundnessWithAudit } from '../../bench/crash/soundness.ts';
import { isClaim } from '../../src/engine/gates.ts';
import { type Handle, loadItem } from '../../src/engine/handle.ts';
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
/** Picked now and then only, so that a game gets somewhere. */
const RARE = [
  ...['abandon', 'cancel', 'unlink', 'link', 'release', 'reopen', 'reject', 'propose', 'supersede'],
  ...['intervene', 'reassign-builder', 'reassign-checker'],
];
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
    ['add', 'A task', '--goal', 'GOAL-3'],
    ['add', 'Another task', '--goal', 'GOAL-3'],
  ])
    expect((await s.say('lin', ...words)).code).toBe(0);
  return s;
}

/** A command that leads out of the item's state, mostly. */
function commandFor({ protocol, item }: Handle, { pick, odd }: Throw): string {
  const rows = protocol.rows.filter((r) => r.command !== '' && expand(protocol, r.from).includes(item.state));
  const usual = rows.filter((r) => !RARE.includes(r.command) && (r.command !== 'fail' || odd > 17));
  const all = odd === 1 ? protocol.rows : odd === 2 || usual.length === 0 ? rows : usual;
  return all[pick % Math.max(1, all.length)]?.command || 'dance';
}

/** Two who act at once: those who hold a role for it, mostly. */
function pairFor({ protocol, item }: Handle, command: string, { who }: Throw): readonly string[] {
  const rows = protocol.rows.filter((r) => r.command === command);
  const owner = protocol.states[item.state]?.owner ?? '';
  const roles = rows.flatMap((r) => (r.by.includes('@owner') ? [owner] : r.by));
  const held: { readonly [id: string]: readonly string[] } = TEAM;
  const able = ACTORS.filter((id) => roles.some((role) => held[id]?.includes(role)));
  return who.map((n) => {
    const from = n % 5 === 0 || able.length === 0 ? ACTORS : able;
    return from[n % from.length] ?? 'lin';
  });
}

/** New work on a branch of its own, and what is said about it by two at the same moment. */
async function play(s: Session, dice: Throw, n: number) {
  const ref = ITEMS[dice.item % ITEMS.length] ?? '';
  if (dice.odd === 0) return stricter(s, n);
  const handle = await s.with(({ ports }) => loadItem(ports, ref));
  const { protocol, item } = handle;
  const command = commandFor(handle, dice);
  s.repo.git('checkout', '-q', '-B', `w-${ref}`, 'main');
  const good = dice.pick % 5 > 0;
  const sha = s.repo.commit({ [`${ref}.txt`]: `${n}\n`, 'work.txt': good ? 'done\n' : 'begun\n' });
  s.repo.write('note.txt', 'looked at\n');
  if (protocol.name === 'goal-task' && item.state === 'verified') merge(s, `w-${ref}`);
  const to = ['resolve', 'rollback'].includes(command) ? 'planning' : 'ben';
  const gate = protocol.gates.some((g) => g.in === item.state && [g.pass, g.fail].includes(command));
  const rest = ['--reason', 'said', '--guidance', 'so', '--to', to, '--evidence', 'note.txt'];
  const more = ['--arg', 'summary=done', 'notes=tried', 'task=T-4'];
  const commit = command === 'committed' ? ['--commit', sha] : [];
  const words = gate ? ['verify', ref] : ['move', ref, command, ...rest, ...more, ...commit];
  await Promise.all(pairFor(handle, command, dice).map((id) => s.say(id, ...words)));
  s.repo.git('clean', '-qfd');
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

const games = fc.sample(fc.array(throws, { minLength: 80, maxLength: 80 }), { seed: 20_251_028, numRuns: 1 });

describe.each(games.map((dice, n) => ({ n, dice })))('a game of the whole engine, $n', ({ dice }) => {
  it('I4, I8, I9, I10, I11: two at once and every write twice: the store is sound', async () => {
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

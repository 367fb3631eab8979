import type { Guard } from '../guards/index.ts';
import { leavesOf, readsOf } from '../leaves.ts';
import { expand, type Protocol, type Row } from '../protocol.ts';
import { guardsOf } from './setup.ts';

/** Names of what may still be looked at, `mark builder`, `evidence quality`, `level quality`, by state. */
export type Live = { readonly [state: string]: ReadonlySet<string> };

const names = (guards: readonly Guard[]): readonly string[] => {
  const { marks, kinds, settings } = readsOf(guards);
  return [
    ...marks.map((m) => `mark ${m}`),
    ...kinds.map((k) => `evidence ${k}`),
    ...settings.map((s) => `setting ${s}`),
    ...leavesOf(guards).flatMap((leaf) => (leaf.guard === 'independent' ? [`level ${leaf.kind}`] : [])),
  ];
};

/** A kind of evidence of which also the distance from the work matters. */
const known = (kind: string) => [`evidence ${kind}`, `level ${kind}`];

/**
 * What can still matter in each state: what some way on from there reads before it is dropped. Two items that
 * differ only in the rest behave alike, so the exploration needs to see only one of them.
 */
export function livenessOf(protocol: Protocol): Live {
  const states = Object.keys(protocol.states);
  const always = [
    'mark builder',
    'setting independence',
    ...names(protocol.closed),
    ...protocol.policies.flatMap((policy) => policy.carry.map((m) => `mark ${m}`)),
  ];
  const live = new Map(states.map((state) => [state, new Set(always)]));
  for (const [state, { success }] of Object.entries(protocol.states)) {
    if (success) for (const name of names(protocol.promises)) live.get(state)?.add(name);
  }
  for (const row of protocol.evidence) {
    const reads = [...names(row.requires), ...(row.once ? known(row.kind) : [])];
    for (const state of expand(protocol, row.in)) for (const name of reads) live.get(state)?.add(name);
  }
  const flows = protocol.rows.flatMap((row) => flowsOf(protocol, row));
  while (flows.map((flow) => flowBack(live, flow)).includes(true));
  return Object.fromEntries(live);
}

/** One row between two states: what it reads, and what it drops on the way. */
interface Flow {
  readonly from: string;
  readonly to: readonly string[];
  readonly reads: readonly string[];
  readonly drops: ReadonlySet<string>;
}

function flowsOf(protocol: Protocol, row: Row): readonly Flow[] {
  const backing = row.verdict ? readsOf(row.requires).kinds.flatMap(known) : [];
  const reads = [...names(row.requires), ...backing];
  const drops = dropped(protocol, row);
  return expand(protocol, row.from).map((from) => ({
    from,
    to: mayLeadTo(protocol, row, from),
    reads,
    drops,
  }));
}

/** What matters after a row matters before it, unless the row drops it. True when something was new. */
function flowBack(live: ReadonlyMap<string, Set<string>>, { from, to, reads, drops }: Flow): boolean {
  const set = live.get(from) ?? new Set();
  const before = set.size;
  const onward = to.flatMap((state) => [...(live.get(state) ?? [])]).filter((name) => !drops.has(name));
  for (const name of [...reads, ...onward]) set.add(name);
  return set.size > before;
}

/** States that a row may lead to, seen from the table alone. */
function mayLeadTo(protocol: Protocol, row: Row, from: string): readonly string[] {
  if (row.to === '@same') return [from];
  return row.to.startsWith('@') ? Object.keys(protocol.states) : expand(protocol, [row.to]);
}

/** What the row makes unreadable for good: what it forgets, and evidence on subjects that it moves. */
function dropped(protocol: Protocol, row: Row): ReadonlySet<string> {
  const moved = row.attempt ? Object.keys(protocol.subjects) : row.moves;
  const own = row.records.map((record) => record.split(':')[0]);
  const kinds = readsOf(guardsOf(protocol)).kinds.concat(protocol.evidence.map((e) => e.kind));
  const stale = kinds.filter(
    (kind) => !own.includes(kind) && subjectsOf(protocol, kind).every((s) => moved.includes(s)),
  );
  const forgotten = row.forgets.filter((name) => !own.includes(name));
  return new Set([
    ...row.forgets.filter((mark) => mark !== row.as && row.names[mark] === undefined).map((m) => `mark ${m}`),
    ...[...forgotten, ...stale].flatMap(known),
  ]);
}

/** Every subject on which a kind of evidence can stand. */
function subjectsOf(protocol: Protocol, kind: string): readonly string[] {
  const recorded = protocol.rows.flatMap((row) => row.records.map((record) => record.split(':')));
  return [
    ...protocol.evidence.filter((row) => row.kind === kind).map((row) => row.on),
    ...recorded.filter(([name]) => name === kind).map(([, , on]) => on ?? ''),
  ];
}

import { atLeast, INDEPENDENCE } from '../actor.ts';
import type { Evidence } from '../evidence.ts';
import { freshEvidence } from '../freshness.ts';
import { minimumOf, type Place } from './place.ts';
import type { Places, Run, Table } from './run.ts';

/** Says an id in a key, and where it stands; exchangeable ids get their name there. */
type Name = (id: string, where: string) => string;

/**
 * One text for all moments that behave alike: history, times, versions, stale evidence and everything that no
 * way on looks at are left out, and exchangeable ids are put into one order.
 */
export function keyOf(run: Run, places: Places): string {
  const renamed = new Map<string, string>();
  const final = (id: string) => renamed.get(id) ?? id;
  // Items first: where an actor stands is told apart by the items that were put into order already.
  for (const groups of [run.setup.alike, run.roster.alike]) {
    if (groups.length === 0) continue;
    const open = new Map<string, string[]>(groups.flat().map((id) => [id, []]));
    const seen = (id: string) => (open.has(id) ? '~' : final(id));
    write(run, places, seen, (id, where) => {
      open.get(id)?.push(where);
      return seen(id);
    });
    for (const ids of groups) for (const [id, to] of inOrder(ids, open)) renamed.set(id, to);
  }
  return write(run, places, final, final);
}

/** Exchangeable ids, sorted by where they stand, take each other's names in the order of the list. */
function inOrder(ids: readonly string[], stands: ReadonlyMap<string, string[]>): readonly [string, string][] {
  const signed = ids.map((id) => ({ id, text: [...(stands.get(id) ?? [])].sort().join('\n') }));
  signed.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return signed.map(({ id }, n) => [id, ids[n] ?? id]);
}

function write(run: Run, places: Places, called: (id: string) => string, name: Name): string {
  const digests = digestNames();
  const items = Object.entries(places).map(([id, place]) => {
    const table = run.tables[id];
    const within: Name = (x, where) => name(x, `${called(id)}.${where}`);
    const content = table === undefined ? [] : contentOf(table, place, within, digests);
    return [name(id, JSON.stringify(content)), content] as const;
  });
  return JSON.stringify(items.sort(byFirst));
}

const byFirst = (a: readonly unknown[], b: readonly unknown[]) =>
  String(a[0]) < String(b[0]) ? -1 : String(a[0]) > String(b[0]) ? 1 : 0;

/** Digests by order of appearance: only which are equal matters. */
function digestNames(): (digest: string) => number {
  const known = new Map<string, number>();
  return (digest) => {
    const n = known.get(digest) ?? known.size;
    known.set(digest, n);
    return n;
  };
}

function contentOf(
  table: Table,
  place: Place,
  name: Name,
  digest: (d: string) => number,
): readonly unknown[] {
  const { item } = place;
  if (table.ends.has(item.state)) return [item.state, place.overridden];
  return [
    item.state,
    place.overridden,
    table.looksBack.has(item.state) ? item.previous : '',
    Object.entries(item.counters).sort(byFirst),
    Object.entries(item.settings).filter(([setting]) => table.live[item.state]?.has(`setting ${setting}`)),
    marksOf(table, place, name),
    evidenceOf(table, place, name),
    membersOf(table, place, name, digest),
    passesOf(table, place, name),
    place.carried.filter((kind) => table.live[item.state]?.has(`evidence ${kind}`)),
    table.comparesDigests || table.protocol.policies.some((p) => p.asks !== '')
      ? Object.values(item.subjects).map((s) => digest(s.digest))
      : [],
  ];
}

/** Where the engine's evidence is enough by itself, it does not matter who passed it. */
function passesOf(table: Table, place: Place, name: Name): readonly unknown[] {
  const passes = place.passes.map(({ by, proven, backed, as }) => {
    const enough = level(table, place, backed) === 'enough';
    return enough ? ['enough', as] : [name(by, `pass ${as}`), proven, backed, as];
  });
  return [...new Map(passes.map((pass) => [pass.join(), pass])).values()].sort(byText);
}

const byText = (a: readonly unknown[], b: readonly unknown[]) => {
  const [x, y] = [a.join(), b.join()];
  return x < y ? -1 : x > y ? 1 : 0;
};

function marksOf(table: Table, { item }: Place, name: Name): readonly unknown[] {
  return Object.entries(item.marks)
    .filter(([mark, ids]) => ids.length > 0 && table.live[item.state]?.has(`mark ${mark}`))
    .sort(byFirst)
    .map(([mark, ids]) => [mark, ...ids.map((id) => name(id, mark)).sort()]);
}

function evidenceOf(table: Table, place: Place, name: Name): readonly unknown[] {
  const { item } = place;
  const live = table.live[item.state];
  const kinds = [...new Set(item.evidence.map((e) => e.kind))].filter((kind) =>
    live?.has(`evidence ${kind}`),
  );
  return kinds.sort().map((kind) => {
    const fresh = freshEvidence(item, kind);
    const latest = fresh.at(-1);
    const far = (e: Evidence) => (live?.has(`level ${kind}`) ? level(table, place, e.independence) : '');
    const said = (e: Evidence) => [name(e.by, `${kind} ${e.outcome}`), e.outcome, far(e)];
    const voicing = table.personal.has(kind) ? fresh : [];
    const voices = [...new Map(voicing.map((e) => [e.by, said(e)])).values()].sort(byText);
    const furthest = Math.max(...fresh.map((e) => LEVELS.indexOf(far(e))));
    return [kind, latest?.outcome, latest && far(latest), furthest, voices];
  });
}

const LEVELS: readonly string[] = [...INDEPENDENCE, 'enough'];

/** Levels at or above the demanded one do the same, unless some guard names levels itself. */
function level(table: Table, { item }: Place, value: Evidence['independence'] | ''): string {
  if (value === '' || table.ownLevels) return value;
  return atLeast(value, minimumOf(table.protocol, item)) ? 'enough' : value;
}

function membersOf(
  table: Table,
  { item }: Place,
  name: Name,
  digest: (d: string) => number,
): readonly unknown[] {
  return Object.entries(item.members)
    .filter(([group]) => table.counted.has(group))
    .sort(byFirst)
    .map(([group, entries]) => [
      group,
      ...Object.entries(entries)
        .map(([id, m]) => [
          name(id, `${group} ${m.state}`),
          m.state,
          table.comparesDigests ? digest(m.asked) : 0,
        ])
        .sort(byText),
    ]);
}

import { keyOf } from './canonical.ts';
import type { Findings } from './report.ts';
import { type Choice, nameOf, opened, type Places, type Run } from './run.ts';
import { transact } from './transact.ts';
import type { Watcher } from './watch.ts';
import { waysOf } from './ways.ts';

/** One thing that may happen, from moment to moment. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly by: 'agent' | 'human' | 'system';
}

/** Every moment that can be reached, and how. */
export interface Graph {
  readonly moments: readonly Places[];
  readonly edges: readonly Edge[];
  /** Commands whose gate is closed to everybody who may give them, by moment. */
  readonly closed: readonly (readonly string[])[];
  readonly cut: boolean;
  /** The first moments: one for each choice of settings. */
  readonly starts: readonly number[];
  readonly pathTo: (moment: number) => readonly string[];
}

/** Goes breadth first through all that can happen, so that each moment is met on a shortest way. */
export function explore(
  run: Run,
  choices: readonly Choice[],
  cap: number,
  findings: Findings,
  reached: Watcher['reached'],
): Graph {
  const known = new Map<string, number>();
  const moments: Places[] = [];
  const came: { readonly from: number; readonly label: string }[] = [];
  const edges: Edge[] = [];
  const closed: string[][] = [];
  const starts: number[] = [];
  const pathTo = (moment: number): readonly string[] => {
    const path: string[] = [];
    for (let m = came[moment]; m !== undefined && m.label !== ''; m = came[m.from]) path.unshift(m.label);
    return path;
  };
  const add = (places: Places, from: number, label: string): number => {
    const key = keyOf(run, places);
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, moments.length);
    came.push({ from, label });
    return moments.push(places) - 1;
  };
  const watching = (from: number, label: string, places: Places): Watcher => ({
    reached,
    found: (property, what) =>
      findings.add(property, what, {
        path: () => (label === '' ? pathTo(from) : [...pathTo(from), label]),
        roster: nameOf(run, places),
      }),
  });
  for (const choice of choices) {
    const places = opened(run, choice);
    starts.push(add(settled(run, places, watching(-1, '', places)), -1, ''));
  }
  for (let at = 0; at < moments.length; at++) {
    if (moments.length > cap) return { moments, edges, closed, cut: true, starts, pathTo };
    const places = moments[at] ?? {};
    closed.push([]);
    for (const [id, place] of Object.entries(places)) {
      const ways = waysOf(run, id, place.item);
      closed[at]?.push(...ways.closed);
      for (const { events, by, label } of ways.open) {
        const to = add(transact(run, places, id, events, watching(at, label, places)), at, label);
        if (to !== at) edges.push({ from: at, to, by });
      }
    }
  }
  return { moments, edges, closed, cut: false, starts, pathTo };
}

/** A first moment: everything was opened, and settles. */
function settled(run: Run, places: Places, watch: Watcher): Places {
  return Object.entries(run.setup.streams).reduce((all, [id, { protocol }]) => {
    watch.reached(protocol, `state ${protocol.initial}`);
    return transact(run, all, id, [], watch);
  }, places);
}

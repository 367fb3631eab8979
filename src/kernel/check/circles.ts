import type { Edge } from './explore.ts';

interface Search {
  readonly next: readonly (readonly number[])[];
  readonly order: Map<number, number>;
  readonly low: Map<number, number>;
  readonly circle: number[];
  readonly stack: number[];
}

interface Call {
  readonly moment: number;
  at: number;
}

/**
 * For each moment the number of its circle: moments that can reach each other have the same (Tarjan's strongly
 * connected components, with an explicit call stack because the graphs are deep).
 */
export function circlesOf(size: number, edges: readonly Edge[]): readonly number[] {
  const next: number[][] = Array.from({ length: size }, () => []);
  for (const { from, to } of edges) next[from]?.push(to);
  const circle = new Array<number>(size).fill(-1);
  const search: Search = { next, order: new Map(), low: new Map(), circle, stack: [] };
  for (let root = 0; root < size; root++) if (!search.order.has(root)) visit(search, root);
  return circle;
}

function visit(search: Search, root: number) {
  const calls = [enter(search, root)];
  for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
    const to = search.next[call.moment]?.[call.at++];
    if (to === undefined) {
      calls.pop();
      leave(search, call.moment, calls.at(-1));
    } else if (!search.order.has(to)) calls.push(enter(search, to));
    else if (search.circle[to] === -1) lower(search, call.moment, search.order.get(to) ?? 0);
  }
}

function enter({ order, low, stack }: Search, moment: number): Call {
  low.set(moment, order.size);
  order.set(moment, order.size);
  stack.push(moment);
  return { moment, at: 0 };
}

function lower({ low }: Search, moment: number, value: number) {
  low.set(moment, Math.min(low.get(moment) ?? value, value));
}

function leave(search: Search, moment: number, above: Call | undefined) {
  const { order, low, stack, circle } = search;
  if (low.get(moment) === order.get(moment)) {
    let top = stack.pop();
    while (top !== undefined) {
      circle[top] = moment;
      top = top === moment ? undefined : stack.pop();
    }
  }
  if (above !== undefined) lower(search, above.moment, low.get(moment) ?? 0);
}

/** Line numbers, counted from 0: what the newer text has more, and what the older text had. */
export interface LineDiff {
  readonly added: ReadonlySet<number>;
  readonly removed: ReadonlySet<number>;
}

/** More edits than this are not followed: the search takes time and memory in proportion to their square. */
const mostEdits = 800;

/** The lines of a text; a file that ends in a line break has no empty line after it. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * A shortest edit script between two texts (Myers 1986). Of texts that differ in more than `most` lines every line
 * counts as added that the newer text holds more often than the older one, wherever it stands: never too few new lines.
 */
export function lineDiff(
  before: readonly string[],
  after: readonly string[],
  most: number = mostEdits,
): LineDiff {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const found = shortest(old, now, most) ?? byCount(old, now);
  const shift = (lines: readonly number[]) => new Set(lines.map((line) => line + start));
  return { added: shift(found.added), removed: shift(found.removed) };
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  let n = 0;
  while (n < a.length - start && n < b.length - start && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n;
}

interface Edits {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** How far along the older text each diagonal was reached, one map for each number of edits. */
type Reached = ReadonlyMap<number, number>;

function shortest(old: readonly string[], now: readonly string[], most: number): Edits | undefined {
  const trace: Reached[] = [];
  let last: Reached = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(most, old.length + now.length); edits++) {
    trace.push(last);
    last = furthest(old, now, last, edits);
    if ((last.get(old.length - now.length) ?? -1) >= old.length)
      return walkBack(trace, old.length, now.length);
  }
  return undefined;
}

/** With one edit more: how far every diagonal is reached, over all lines that are alike. */
function furthest(old: readonly string[], now: readonly string[], last: Reached, edits: number): Reached {
  const next = new Map<number, number>();
  for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
    const above = comesFromAbove(last, diagonal, edits);
    let x = above ? (last.get(diagonal + 1) ?? 0) : (last.get(diagonal - 1) ?? 0) + 1;
    while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++;
    next.set(diagonal, x);
  }
  return next;
}

const comesFromAbove = (last: Reached, diagonal: number, edits: number) =>
  diagonal === -edits ||
  (diagonal !== edits && (last.get(diagonal - 1) ?? -1) < (last.get(diagonal + 1) ?? -1));

/** `trace[n]` is what was reached with n - 1 edits; the walk goes from the ends of both texts to their starts. */
function walkBack(trace: readonly Reached[], oldLength: number, newLength: number): Edits {
  const added: number[] = [];
  const removed: number[] = [];
  let [x, y] = [oldLength, newLength];
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const last = trace[edits] ?? new Map<number, number>();
    const above = comesFromAbove(last, x - y, edits);
    const diagonal = above ? x - y + 1 : x - y - 1;
    const before = last.get(diagonal) ?? 0;
    if (above) added.push(before - diagonal);
    else removed.push(before);
    [x, y] = [before, before - diagonal];
  }
  return { added, removed };
}

function byCount(old: readonly string[], now: readonly string[]): Edits {
  return { added: surplus(now, old), removed: surplus(old, now) };
}

function surplus(of: readonly string[], over: readonly string[]): readonly number[] {
  const left = new Map<string, number>();
  for (const line of over) left.set(line, (left.get(line) ?? 0) + 1);
  return of.flatMap((line, index) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0 ? [] : [index];
  });
}

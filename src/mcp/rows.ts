import { displayId } from '../engine/display.ts';
import type { Listed } from '../engine/query.ts';
import { type Reply, reply } from './reply.ts';

/** Bytes that the items of a page may take, so that an answer stays below 25 KB with its text. */
const PAGE_BYTES = 10_000;

export interface Page {
  readonly items: readonly object[];
  readonly lines: readonly string[];
  /** Number to continue after, 0 at the end. */
  readonly after: number;
}

/** Items of a page with more to say than their rows do. */
export interface Marked {
  readonly weak: ReadonlySet<string>;
  readonly replaced: Listed['replaced'];
}

const UNMARKED: Marked = { weak: new Set(), replaced: new Set() };

/** As many items as fit into an answer: state, assignee and title; the rest of one is behind item_show. */
export function pageOf(found: Listed['rows'], next = 0, marked: Marked = UNMARKED): Page {
  const rows = found.slice(0, fitting(found.map((row) => row.title)));
  const after = rows.length < found.length ? (rows.at(-1)?.number ?? 0) : next;
  const items = rows.map(({ number, protocol, list, kind, state, title, assignee, ...row }) => ({
    id: displayId(number, protocol),
    ...{ list, kind, state, title, assignee },
    ...(marked.weak.has(row.id) ? { weak: true } : {}),
    ...(marked.replaced.has(row.id) ? { replaced: true } : {}),
    ...(row.legacy ? { legacy: row.legacy } : {}),
    ...(row.failures > 0 ? { failures: row.failures } : {}),
    ...(row.overdueAt === '' ? {} : { due: row.overdueAt }),
  }));
  const lines = items.map((i) => {
    const marks = [
      ...(i.weak ? ['weakly verified'] : []),
      ...(i.failures ? [`${i.failures} failures`] : []),
      ...(i.due ? [`due ${i.due}`] : []),
    ];
    const state = i.replaced ? 'replaced' : i.state;
    return [`${i.id} [${state}] ${i.assignee || '-'} ${i.title}`, ...marks].join(', ');
  });
  return { items, lines: lines.length > 0 ? lines : ['no items'], after };
}

/** A page as an answer. */
export function rowsReply(found: Listed['rows'], next = 0): Reply {
  const { items, lines, after } = pageOf(found, next);
  return reply({ items, next_after: after }, lines.join('\n'));
}

/** How many of the titles fit into a page, at least one; `each` is what stands beside a title, in bytes. */
export function fitting(titles: readonly string[], each = 150): number {
  let bytes = 0;
  const at = titles.findIndex((title) => {
    bytes += 2 * Buffer.byteLength(title) + each;
    return bytes > PAGE_BYTES * 2;
  });
  return at === -1 ? titles.length : Math.max(at, 1);
}

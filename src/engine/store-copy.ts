import { createHash } from 'node:crypto';
import type { Store, StoreContent, StorePart } from '../store/store.ts';
import { auditStore } from './audit/audit-store.ts';
import type { Opened } from './composition.ts';
import { EngineError } from './engine-error.ts';
import type { CopyTarget } from './store-desk.ts';

const PAGE = 1_000;

export interface CopyReport {
  readonly place: string;
  readonly events: number;
  readonly streams: number;
  readonly items: number;
  /** SHA-256 over every row of the copy, which is that of the source. */
  readonly digest: string;
  readonly used: boolean;
}

/**
 * Copies the store with every event, head, row, link, job and checkpoint as it stands. Both are audited, and compared
 * row by row, before the copy takes its place; only then, if it is wanted, it becomes the store. The source stays as it
 * is. Throws DAMAGED where one of them is not clean, BUSY where the source was written meanwhile.
 */
export async function copyStore(
  { ports, storePlace }: Opened,
  target: CopyTarget,
  use: boolean,
): Promise<CopyReport> {
  const source = ports.store;
  await assertClean(ports, storePlace);
  const copy = await target.fill(() => partsOf(source)).catch((error) => dropped(target, error));
  let report: CopyReport;
  try {
    const { events, streams, items } = await assertClean({ ...ports, store: copy }, target.place);
    const [digest, original] = [await digestOf(copy), await digestOf(source)];
    if (digest !== original) throw changed(storePlace);
    report = { place: target.place, events, streams, items, digest, used: use };
  } catch (error) {
    await copy.close();
    return dropped(target, error);
  }
  await copy.close();
  await target.keep();
  if (use) target.use();
  if ((await source.eventCount()) !== report.events) throw late(storePlace, use);
  return report;
}

async function dropped(target: CopyTarget, error: unknown): Promise<never> {
  await target.drop();
  throw error;
}

async function assertClean(ports: Opened['ports'], place: string) {
  const report = await auditStore(ports);
  if (report.status === 'clean') return report;
  const [first] = report.findings;
  const why = first === undefined ? report.status : `${first.where}: ${first.what}`;
  const message = `${place} does not audit clean (${why}); it is not copied`;
  throw new EngineError('DAMAGED', message, 'countersign audit verify');
}

const changed = (place: string) =>
  new EngineError(
    'BUSY',
    `${place} was written while it was copied`,
    'let everything that uses it end, and try again',
  );

function late(place: string, used: boolean): EngineError {
  const message = `${place} was written after the copy was made: ${used ? 'what was written is in the old store alone' : 'the copy lacks it'}`;
  const hint = used
    ? `end what still uses the old store, and see: countersign store status`
    : 'copy it again';
  return new EngineError('BUSY', message, hint);
}

/** All rows of a store, in pages; heads before events, events by position. */
export async function* partsOf(store: Store & StoreContent): AsyncGenerator<StorePart> {
  yield* paged((last) => store.heads(last?.stream ?? '', PAGE), 'heads');
  yield* paged((last) => store.events(last?.position ?? 0, PAGE), 'events');
  yield* paged((last) => store.allItems(last?.number ?? 0, PAGE), 'items');
  yield* paged((last) => store.allJobs(last ?? { topic: '', key: '' }, PAGE), 'jobs');
  yield { links: await store.allLinks() };
  yield { checkpoints: (await store.checkpoints(Number.MAX_SAFE_INTEGER)).toReversed() };
}

type Member = keyof StorePart;
type RowOf<M extends Member> = NonNullable<StorePart[M]>[number];

async function* paged<M extends Member>(
  page: (last: RowOf<M> | undefined) => Promise<readonly RowOf<M>[]>,
  member: M,
): AsyncGenerator<StorePart> {
  let last: RowOf<M> | undefined;
  for (;;) {
    const rows = await page(last);
    last = rows.at(-1);
    if (last === undefined) return;
    yield { [member]: rows };
  }
}

/** One digest over every row, whatever the store keeps them in. */
async function digestOf(store: Store & StoreContent): Promise<string> {
  const digest = createHash('sha256');
  for await (const part of partsOf(store)) {
    for (const rows of Object.values(part) as readonly (readonly object[])[])
      for (const row of rows) digest.update(`${JSON.stringify(Object.entries(row).sort(byName))}\n`);
  }
  const tallies = (await store.allTallies()).map((tally) =>
    JSON.stringify(Object.entries(tally).sort(byName)),
  );
  return digest.update(tallies.sort().join('\n')).digest('hex');
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

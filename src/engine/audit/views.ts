import type { ItemRow, Link, Tally } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import type { ChainCheck } from './chains.ts';
import type { ContentCheck } from './content.ts';
import { collectFindings, type Findings } from './findings.ts';

const PAGE = 2_000;
const BELOW_ALL = Number.MIN_SAFE_INTEGER;

/** What the views of the store say, held against the log up to its present end. */
export async function compareViews(
  { store }: Pick<Ports, 'store'>,
  chain: ChainCheck,
  { known, links }: Pick<ContentCheck, 'known' | 'links'>,
): Promise<Findings> {
  const findings = collectFindings();
  await compareHeads(store, chain, findings);
  const counts = new Map<string, number>();
  for await (const row of allRows(store)) {
    const item = known.items.get(row.id);
    if (item === undefined)
      findings.broken(`items: T-${row.number}`, `there is no item/${row.id} in the log`);
    const key = squareOf(row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  compareTallies(await store.allTallies(), counts, findings);
  const stored: readonly Link[] = await store.allLinks();
  links.compare(stored, findings);
  return findings;
}

async function compareHeads(store: Ports['store'], chain: ChainCheck, findings: Findings): Promise<void> {
  let seen = 0;
  for (let after = ''; ; ) {
    const page = await store.heads(after, PAGE);
    for (const { stream, version, hash } of page) {
      const head = chain.heads.get(stream);
      seen += 1;
      if (head === undefined) findings.broken(`streams: ${stream}`, 'the stream has no events');
      else if (head.version !== version || head.hash !== hash)
        findings.broken(
          `streams: ${stream}`,
          `its head is version ${version}, its events end at version ${head.version}, or the hashes differ`,
        );
    }
    after = page.at(-1)?.stream ?? after;
    if (page.length < PAGE) break;
  }
  // A stream without a name comes before every page.
  if ((await store.head('')).version !== 0) findings.broken('streams', 'there is a stream without a name');
  if (seen < chain.heads.size)
    findings.broken('streams', `${chain.heads.size - seen} streams have events and no head`);
}

async function* allRows(store: Ports['store']): AsyncGenerator<ItemRow> {
  for (let after = BELOW_ALL; ; ) {
    const page = await store.allItems(after, PAGE);
    yield* page;
    const last = page.at(-1)?.number ?? after;
    if (page.length < PAGE || last <= after) return;
    after = last;
  }
}

const squareOf = ({ list, protocol, state, category, legacy }: Omit<Tally, 'count'>) =>
  JSON.stringify([list, protocol, state, category, legacy]);

function compareTallies(
  tallies: readonly Tally[],
  counts: ReadonlyMap<string, number>,
  findings: Findings,
): void {
  const told = new Map<string, number>();
  for (const tally of tallies) told.set(squareOf(tally), (told.get(squareOf(tally)) ?? 0) + tally.count);
  for (const key of new Set([...told.keys(), ...counts.keys()])) {
    const [says, are] = [told.get(key) ?? 0, counts.get(key) ?? 0];
    if (says !== are) findings.broken(`tallies: ${key}`, `it says ${says}, there are ${are} rows`);
  }
}

import { verifyChain } from '../../src/attestation/chain.ts';
import { auditStore } from '../../src/engine/audit/audit-store.ts';
import { packFinding } from '../../src/engine/complete-item.ts';
import { loadById } from '../../src/engine/handle.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { DRIFT } from '../../src/engine/project.ts';
import { rowOf } from '../../src/engine/transaction.ts';
import { latestEvidence } from '../../src/kernel/freshness.ts';
import type { ItemRow, StoredEvent } from '../../src/store/store.ts';

const ALL = Number.MAX_SAFE_INTEGER;

/**
 * What a crash must never leave, one sentence each; an empty answer is a sound store. Written apart from the audit, so
 * that neither covers for the other: pages, positions, chains, heads, commands, views = fold(log), packs whole.
 */
export async function unsoundness(ports: Ports): Promise<readonly string[]> {
  const events = await ports.store.events(0, ALL);
  const rows = await ports.store.allItems(0, ALL);
  const found = [
    ...(await ports.store.integrity()),
    ...positions(events),
    ...commands(events),
    ...(await chains(ports, events)),
    ...tallies(rows, await ports.store.allTallies()),
  ];
  // Nobody but the engine writes here, so nobody may be told of.
  for (const { body } of await ports.store.read(DRIFT)) found.push(`an edit was invented: ${body}`);
  const opened = events.filter((e) => e.stream.startsWith('item/') && e.version === 1).length;
  if (opened !== rows.length) found.push(`${opened} items in the log, ${rows.length} in the view`);
  for (const row of rows) found.push(...(await item(ports, row)));
  return found;
}

/** As `unsoundness`, and what the product's own audit finds. */
export async function unsoundnessWithAudit(ports: Ports): Promise<readonly string[]> {
  const report = await auditStore(ports);
  const found = report.findings.map((finding) => `audit: ${JSON.stringify(finding)}`);
  if (report.status !== 'clean' && found.length === 0) found.push(`the audit says ${report.status}`);
  return [...(await unsoundness(ports)), ...found];
}

function positions(events: readonly StoredEvent[]): string[] {
  const odd = events.find((event, n) => event.position !== n + 1);
  return odd === undefined ? [] : [`a gap in the log before position ${odd.position}`];
}

/** A command is applied at once or not at all: its events stand together. */
function commands(events: readonly StoredEvent[]): string[] {
  const seen = new Set<string>();
  return events.flatMap(({ command }, n) => {
    if (command === events[n - 1]?.command) return [];
    if (seen.has(command)) return [`the command ${command} was applied twice`];
    seen.add(command);
    return [];
  });
}

async function chains(ports: Ports, events: readonly StoredEvent[]): Promise<string[]> {
  const found: string[] = [];
  const heads = await ports.store.heads('', ALL);
  for (const { stream, version, hash } of heads) {
    const chain = await ports.store.read(stream);
    const broken = verifyChain(stream, chain);
    if (broken !== undefined) found.push(`${stream}@${broken.version}: ${broken.what}`);
    const last = chain.at(-1);
    if (last?.version !== version || last.hash !== hash)
      found.push(`${stream}: its head is not its last event`);
  }
  const counted = heads.reduce((sum, head) => sum + head.version, 0);
  if (counted !== events.length) found.push(`heads count ${counted} events, the log holds ${events.length}`);
  return found;
}

function tallies(
  rows: readonly ItemRow[],
  counts: Awaited<ReturnType<Ports['store']['allTallies']>>,
): string[] {
  const key = (of: Pick<ItemRow, 'list' | 'protocol' | 'state' | 'category' | 'legacy'>) =>
    [of.list, of.protocol, of.state, of.category, of.legacy].join('/');
  const expected = new Map<string, number>();
  for (const row of rows) expected.set(key(row), (expected.get(key(row)) ?? 0) + 1);
  const wrong = counts.filter((tally) => expected.get(key(tally)) !== tally.count);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total !== rows.length) return [`the tallies count ${total} items of ${rows.length}`];
  return wrong.map((tally) => `the tally ${key(tally)} is wrong`);
}

/** The view shows the fold of the log, and what the log calls proven is there whole. */
async function item(ports: Ports, row: ItemRow): Promise<string[]> {
  const handle = await loadById(ports, row.id);
  const found: string[] = [];
  if (JSON.stringify(rowOf(handle)) !== JSON.stringify(inOrder(handle, row))) {
    found.push(`${handle.display}: the view is not the fold of the log`);
  }
  const pack =
    latestEvidence(handle.item, 'proof-pack') === undefined ? undefined : packFinding(ports, handle);
  if (pack !== undefined && pack.status !== 'satisfied') found.push(`${handle.display}: ${pack.because}`);
  for (const { facts } of handle.item.evidence) {
    for (const check of Array.isArray(facts.checks) ? facts.checks : []) {
      const { output } = check as { output?: string };
      if (ports.evidence.get(output ?? '') === undefined)
        found.push(`${handle.display}: an output is missing`);
    }
  }
  return found;
}

/** The row with its fields in the order of the computed one. */
function inOrder(handle: Parameters<typeof rowOf>[0], row: ItemRow): object {
  const names = Object.keys(rowOf(handle)) as (keyof ItemRow)[];
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

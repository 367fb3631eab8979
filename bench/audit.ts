import { verifyChain } from '../src/attestation/chain.ts';
import { sha256Hex } from '../src/attestation/digest.ts';
import { auditStore } from '../src/engine/audit/audit-store.ts';
import { verifyChains } from '../src/engine/audit/chains.ts';
import type { StoredEvent } from '../src/store/store.ts';
import { MOVES, transition } from './commits/pair.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';
import { addItems, type BenchSession, benchRepository, sessionOf } from './scratch/repository.ts';

const ITEMS = 3_000;
/** How often each item is dispatched and released: a real one ends with about as many events. */
const TRIPS = 2;
const ROUNDS = 7;

/**
 * Events a second. `audit chains` reads the store and checks every link; `audit links` is the same without the store;
 * `audit full` is all that `audit verify` does, every past decision judged again. The floor hashes the same bytes,
 * one event at a time; ratios are medians of the rounds' own.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository();
  try {
    const session = await sessionOf(bench);
    await fill(session);
    const events = await session.ports.store.events(0, Number.MAX_SAFE_INTEGER);
    const inputs = events.map((event) => bytesOf(event));
    const chains = byStream(events);
    const rounds = { floor: [] as number[], links: [] as number[], chains: [] as number[] };
    // The first round warms up.
    for (let n = 0; n <= ROUNDS; n++) {
      const floor = await rate(events.length, () => hashAll(inputs));
      const links = await rate(events.length, () => checkLinks(chains));
      const whole = await rate(events.length, async () => expectClean(await verifyChains(session.ports)));
      if (n === 0) continue;
      rounds.floor.push(floor);
      rounds.links.push(links);
      rounds.chains.push(whole);
    }
    const full = await rate(events.length, async () => expectClean(await auditStore(session.ports)));
    await session.ports.store.close();
    const floor = median(rounds.floor);
    const rated = (name: string, own: readonly number[], goal: string | null) => {
      const ratio = median(own.map((value, n) => value / (rounds.floor[n] ?? floor)));
      const value = median(own);
      const same = { name: 'SHA-256 of the same bytes', value: value / ratio };
      return figure({ figure: name, n: events.length, value, unit: 'events/s', floor: same, goal }, options);
    };
    return [
      rated('audit links', rounds.links, 'ratio >= 0.3'),
      rated('audit chains', rounds.chains, null),
      rated('audit full', [full], null),
    ];
  } finally {
    bench.remove();
  }
}

async function fill(session: BenchSession): Promise<void> {
  const ids = await addItems(session, ITEMS);
  for (const id of ids) {
    for (let trip = 0; trip < TRIPS; trip++) for (const move of MOVES) await transition(session, id, move);
  }
}

/** As many bytes as a link hashes: its own prefix, the hash before, the place, the body. */
function bytesOf({ stream, body }: StoredEvent): Buffer {
  return Buffer.concat([Buffer.alloc(1 + 32 + 4 + 8), Buffer.from(stream), Buffer.from(body)]);
}

function byStream(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const chains = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const chain = chains.get(event.stream);
    if (chain === undefined) chains.set(event.stream, [event]);
    else chain.push(event);
  }
  return chains;
}

function hashAll(inputs: readonly Buffer[]): void {
  for (const bytes of inputs) sha256Hex(bytes);
}

function checkLinks(chains: ReadonlyMap<string, readonly StoredEvent[]>): void {
  for (const [stream, events] of chains) {
    const broken = verifyChain(stream, events);
    if (broken !== undefined) throw new Error(`${stream}@${broken.version}: ${broken.what}`);
  }
}

function expectClean(report: Awaited<ReturnType<typeof verifyChains | typeof auditStore>>): void {
  if (report.status !== 'clean') {
    const first = JSON.stringify(report.findings[0]);
    throw new Error(`the audit of a sound store says ${report.status}: ${first}`);
  }
}

async function rate(events: number, work: () => Promise<void> | void): Promise<number> {
  const began = performance.now();
  await work();
  return (events * 1_000) / (performance.now() - began);
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { itemStream, loadById } from '../src/engine/handle.ts';
import { eventOf } from '../src/engine/stored.ts';
import type { ItemEvent } from '../src/kernel/event.ts';
import { fold } from '../src/kernel/evolve.ts';
import type { Protocol } from '../src/kernel/protocol.ts';
import type { WorkItem } from '../src/kernel/work-item.ts';
import { MOVES, transition } from './commits/pair.ts';
import { OPERATIONS } from './crash/life.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';
import { addItems, benchRepository, sessionOf } from './scratch/repository.ts';

const EVENTS = 1_000_000;
const ROUNDS = 3;

/**
 * A million events folded by the kernel, every item kept. One life is lived through the engine (opened, dispatched,
 * released, claimed, verified, completed) and repeated as its stored text under other numbers; `replay` folds events
 * in memory, `replay, parsed` reads each from its text first. The heap is what the folded items hold.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const { protocol, bodies } = await oneLife();
  const items = Math.ceil(EVENTS / bodies.length);
  const n = items * bodies.length;
  const folded = (await rounds(n, () => foldAll(items, (number) => fold(protocol, inMemory(bodies, number)))))
    .rate;
  const parsed = await rounds(n, () => foldAll(items, (number) => fold(protocol, fromText(bodies, number))));
  const unit = 'events/s';
  return [
    figure({ figure: 'replay', n, value: folded, unit }, options),
    figure({ figure: 'replay, parsed', n, value: parsed.rate, unit }, options),
    figure({ figure: 'replay, heap', n: items, value: parsed.heap / items, unit: 'bytes an item' }, options),
  ];
}

interface Life {
  readonly protocol: Protocol;
  readonly bodies: readonly string[];
}

async function oneLife(): Promise<Life> {
  const bench = await benchRepository();
  try {
    const session = await sessionOf(bench);
    const [id = ''] = await addItems(session, 1);
    for (const move of MOVES) await transition(session, id, move);
    for (const operation of OPERATIONS) await operation.run(session, id);
    const stored = await session.ports.store.read(itemStream(id));
    const { protocol, item } = await loadById(session.ports, id);
    if (item.state !== 'completed') throw new Error(`the life ended ${item.state}`);
    await session.ports.store.close();
    return { protocol, bodies: stored.map(({ body }) => body) };
  } finally {
    bench.remove();
  }
}

// Node shows the collector only to those who ask for it; without it the heap could not be told.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let parsedOnce: readonly ItemEvent[] | undefined;

function inMemory(bodies: readonly string[], number: number): readonly ItemEvent[] {
  parsedOnce ??= fromText(bodies, 1);
  const [first, ...rest] = parsedOnce;
  return first?.type === 'opened' ? [{ ...first, number }, ...rest] : [];
}

function fromText(bodies: readonly string[], number: number): readonly ItemEvent[] {
  const place = { stream: `item/${number}`, position: 0, hash: '', command: '' };
  const events = bodies.map((body, n) => eventOf<ItemEvent>({ ...place, version: n + 1, body }));
  const [first, ...rest] = events;
  return first?.type === 'opened' ? [{ ...first, number }, ...rest] : [];
}

function foldAll(items: number, item: (number: number) => WorkItem): readonly WorkItem[] {
  return Array.from({ length: items }, (_, n) => item(n + 1));
}

async function rounds(events: number, work: () => readonly WorkItem[]) {
  const measured: { readonly rate: number; readonly heap: number }[] = [];
  for (let n = 0; n < ROUNDS; n++) measured.push(oneRound(events, work));
  return {
    rate: median(measured.map(({ rate }) => rate)),
    heap: median(measured.map(({ heap }) => heap)),
  };
}

/** A function of its own, so that the items of one round are gone before the next begins. */
function oneRound(events: number, work: () => readonly WorkItem[]) {
  collect();
  const before = process.memoryUsage().heapUsed;
  const began = performance.now();
  const items = work();
  const rate = (events * 1_000) / (performance.now() - began);
  collect();
  const heap = process.memoryUsage().heapUsed - before;
  if (items.at(-1)?.number !== items.length) throw new Error('an item was lost');
  return { rate, heap };
}

import { spawnSync } from 'node:child_process';
import { team, type Wire, wire } from './faces/wire.ts';
import { type Figure, figure, type MeasureOptions, median, quantile } from './figure.ts';
import { addItems, type Bench, benchRepository, sessionOf } from './scratch/repository.ts';

const STARTS = 31;
const CALLS = 300;
const SIZES = [100, 10_000, 100_000] as const;
const KILLS = 200;
const OPERATIONS = ['create', 'update', 'next', 'list'] as const;
type Operation = (typeof OPERATIONS)[number];

/**
 * The MCP server as a process over its pipes: from its start to the first answer, against a Node that does nothing; the
 * calls that agents make all day, on stores of three sizes; and a server that is killed in the middle of its writes.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const times = new Map<number, Readonly<Record<Operation, readonly number[]>>>();
  let largest = 0;
  for (const size of SIZES) {
    const bench = await benchRepository();
    try {
      await team(bench);
      const session = await sessionOf(bench);
      await addItems(session, size);
      await session.ports.store.close();
      if (size === 10_000) figures.push(await starts(bench, options));
      const called = await calls(bench, options.bin);
      times.set(size, called.times);
      largest = Math.max(largest, called.largest);
      if (size === 10_000) figures.push(await kills(bench, options));
    } finally {
      bench.remove();
    }
  }
  const at = (size: number, operation: Operation) => times.get(size)?.[operation] ?? [];
  for (const operation of OPERATIONS) {
    const all = at(10_000, operation);
    const figureOf = (name: string, value: number, goal: string) =>
      figure(
        { figure: `mcp ${operation} ${name}`, n: all.length, value, unit: 'ms, 10000 items', goal },
        options,
      );
    figures.push(
      figureOf('p50', median(all), 'value <= 2'),
      figureOf('p99', quantile(all, 0.99), 'value <= 10'),
    );
    const value = median(at(100_000, operation));
    const floor = { name: '100 items', value: median(at(100, operation)) };
    const unit = 'ms, 100000 items';
    figures.push(
      figure(
        { figure: `mcp ${operation} flat`, n: all.length, value, unit, floor, goal: 'ratio <= 1.3' },
        options,
      ),
    );
  }
  figures.push(
    figure(
      { figure: 'mcp list page', n: CALLS, value: largest, unit: 'bytes at most', goal: 'value < 25000' },
      options,
    ),
  );
  return figures;
}

async function starts(bench: Bench, options: MeasureOptions): Promise<Figure> {
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { cwd: bench.top, env: bench.env });
    bare.push(performance.now() - began);
    const started = performance.now();
    const server = await wire(bench, options.bin, 'builder');
    own.push(performance.now() - started);
    await server.end();
  }
  const ratio = median(own.map((milliseconds, n) => milliseconds / (bare[n] ?? 0)));
  const value = median(own);
  const floor = { name: 'node -e 0', value: value / ratio };
  const unit = 'ms to the first answer, 10000 items';
  return figure({ figure: 'mcp start', n: STARTS, value, unit, floor, goal: 'ratio <= 2.5' }, options);
}

async function calls(bench: Bench, bin: string) {
  const lead = await wire(bench, bin, 'lead');
  const times: Record<Operation, number[]> = { create: [], update: [], next: [], list: [] };
  let largest = 0;
  const timed = async (operation: Operation, name: string, input: object) => {
    const began = performance.now();
    const result = await lead.call(name, input);
    times[operation].push(performance.now() - began);
    if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result)}`);
    return result;
  };
  for (let n = 0; n < CALLS; n++) {
    const created = await timed('create', 'item_add', { title: `Made by call ${n}` });
    await timed('update', 'item_dispatch', { item: created.structuredContent?.item?.id, to: 'builder' });
    await timed('next', 'next', {});
    const listed = await timed('list', 'item_list', { limit: 100, after: n });
    largest = Math.max(largest, Buffer.byteLength(JSON.stringify(listed)));
  }
  await lead.end();
  return { times, largest };
}

/** Kills a server while writes are under way; afterwards everything that it had answered has to be there. */
async function kills(bench: Bench, options: MeasureOptions): Promise<Figure> {
  const watcher = await wire(bench, options.bin, 'lead');
  const answered: string[] = [];
  let problems = 0;
  for (let round = 0; round < KILLS; round++) {
    const victim = await wire(bench, options.bin, 'lead');
    const writes = Array.from({ length: 20 }, async (_, n) => {
      const { isError, structuredContent } = await victim.call('item_add', {
        title: `Kill ${round}, item ${n}`,
      });
      if (isError !== true) answered.push(structuredContent?.item?.id ?? '');
    });
    // In the middle of them: some are answered, one is on its way.
    await Promise.race(writes);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    victim.child.kill('SIGKILL');
    await Promise.all(writes);
    const began = performance.now();
    const { isError } = await watcher.call('item_add', { title: `After kill ${round}` });
    if (isError === true || performance.now() - began > 1_000) problems += 1;
  }
  problems += await missing(watcher, answered);
  await watcher.end();
  const unit = `answers lost or late, of ${answered.length}`;
  return figure({ figure: 'mcp kills', n: KILLS, value: problems, unit, goal: 'value = 0' }, options);
}

async function missing(watcher: Wire, answered: readonly string[]): Promise<number> {
  let lost = 0;
  for (const item of answered) if ((await watcher.call('item_show', { item })).isError === true) lost += 1;
  return lost + (answered.length - new Set(answered).size);
}

import { Reading } from './chronicle.ts';
import { diceOf } from './dice.ts';
import { broken } from './invariants/index.ts';
import { choose } from './play/choose.ts';
import type { Schedule } from './schedule.ts';
import { openTown, type Saved } from './town.ts';

/** Requests that are asked of a town before it is left, and how many lie between two of its saved states. */
const REQUESTS = 120;
const BETWEEN = 6;

const begun = new Map<string, Promise<readonly Saved[]>>();

/**
 * Where a schedule begins: a town as it was founded, or one that was at work for a while with nobody disturbing it, so that
 * what comes late in the life of an item is played as often as what comes early.
 */
export async function startOf({ protocols: [protocol = ''], start }: Schedule): Promise<Saved | undefined> {
  if (start === 0) return undefined;
  const prelude = `${protocol} ${start % 2}`;
  const known = begun.get(prelude) ?? atWork(protocol, 7 + (start % 2));
  begun.set(prelude, known);
  const saved = await known;
  return saved[start % saved.length];
}

async function atWork(protocol: string, seed: number): Promise<readonly Saved[]> {
  const dice = diceOf(seed);
  const town = await openTown(diceOf(seed + 1), (ports) => ports, undefined);
  const reading = new Reading(town);
  const saved: Saved[] = [];
  try {
    for (let n = 1; n <= REQUESTS; n++) {
      await reading.readOn();
      const request = await choose(town, reading, { protocols: [protocol], isGloomy: false }, dice);
      town.pass(60_000);
      const ports = town.portsOf(`prelude-${n}`, request?.here ? { here: request.here } : {});
      town.dead.add(`prelude-${n}`);
      // Refusals and errors are part of what was there before.
      if (request !== undefined)
        await town
          .caller(ports, request.who)
          .then((caller) => request.run(town.open(ports), caller))
          .catch(() => undefined);
      if (n % BETWEEN === 0) saved.push(town.save());
    }
    const whole = new Reading(town);
    await whole.readOn();
    const found = await broken(whole);
    if (found !== undefined)
      throw new Error(`before anything was disturbed: ${found.invariant}: ${found.because}`);
    return saved;
  } finally {
    await town.close();
  }
}

import { type Program, printed, start } from '../contracts/store-programs.ts';
import type { Operation } from './linearizable.ts';

const CLIENTS = 5;
const EACH = 6;

/** Histories of 30 operations, of five client processes that all work on one item at the same time. */
export async function histories(
  programs: string,
  place: string,
  count: number,
  mutant = '',
): Promise<readonly (readonly Operation[])[]> {
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    start(programs, 'history', place, `client-${n}-${process.hrtime.bigint()}`, mutant),
  );
  await Promise.all(clients.map((client) => printed(client, 1)));
  const all: (readonly Operation[])[] = [];
  for (let n = 1; n <= count; n += 1) all.push(await history(clients, n, `item-${mutant}-${n}`));
  for (const { child, ended } of clients) {
    child.stdin.end();
    const { end, stderr } = await ended;
    if (end !== 0) throw new Error(`a client ended with ${end}: ${stderr}`);
  }
  return all;
}

async function history(clients: readonly Program[], n: number, stream: string) {
  for (const { child } of clients) child.stdin.write(`${stream} ${EACH}\n`);
  await Promise.all(clients.map((client) => printed(client, n + 1)));
  return clients.flatMap(({ lines }) => JSON.parse(lines[n] ?? '[]') as readonly Operation[]);
}

/** Operations of a history that overlap another, which is what makes it worth checking. */
export const overlapping = (history: readonly Operation[]) =>
  history.filter((one) =>
    history.some((other) => other !== one && other.began < one.ended && one.began < other.ended),
  ).length;

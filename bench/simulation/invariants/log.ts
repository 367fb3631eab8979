import { genesis, verifyChain } from '../../../src/attestation/chain.ts';
import type { StoredEvent } from '../../../src/store/store.ts';
import type { Invariant } from './invariant.ts';

/** Every stream is a chain, the log has no gaps, and what was read once reads the same for ever. */
export const chainsAreValid: Invariant = ({ fresh, streams, log }) => {
  const found: string[] = [];
  for (const stream of new Set(fresh.map((event) => event.stream))) {
    const added = fresh.filter((event) => event.stream === stream);
    const all = streams.get(stream) ?? [];
    const before = all.at(-added.length - 1);
    const from = before === undefined ? { version: 0, hash: genesis(stream) } : before;
    const broken = verifyChain(stream, added, from);
    if (broken !== undefined) found.push(`${stream}@${broken.version}: ${broken.what}`);
  }
  const odd = fresh.find((event, n) => event.position !== log.length - fresh.length + n + 1);
  return odd === undefined ? found : [...found, `a gap in the log before position ${odd.position}`];
};

/** What the store acknowledged is in the log, where it said, once; and nothing of a command is there twice. */
export const acknowledgedOnce: Invariant = ({ acknowledged, fresh, log }) => {
  const found: string[] = [];
  for (const { process, commit, events } of acknowledged) {
    const wanted = commit.appends.reduce((sum, { bodies }) => sum + bodies.length, 0);
    if (events.length !== wanted)
      found.push(`${process} wrote ${wanted} events, ${events.length} were acknowledged`);
    for (const event of events)
      if (!isSame(log[event.position - 1], event))
        found.push(`${process} was told of ${event.stream}@${event.version}, and the log does not have it`);
  }
  return [...found, ...doubled(fresh, log)];
};

const isSame = (one: StoredEvent | undefined, other: StoredEvent) =>
  one?.stream === other.stream &&
  one.version === other.version &&
  one.hash === other.hash &&
  one.command === other.command;

/** A command is written as one, and by its own name. */
function doubled(fresh: readonly StoredEvent[], log: readonly StoredEvent[]): readonly string[] {
  const begins = log.length - fresh.length;
  const earlier = new Set(log.slice(0, begins).map(({ command }) => command));
  const found: string[] = [];
  let last = log[begins - 1]?.command;
  for (const { command, body, stream } of fresh) {
    if (command !== last && earlier.has(command)) found.push(`the command ${command} is in the log twice`);
    if ((JSON.parse(body) as { command: string }).command !== command)
      found.push(`an event of ${stream} was written under another command`);
    earlier.add(command);
    last = command;
  }
  return found;
}

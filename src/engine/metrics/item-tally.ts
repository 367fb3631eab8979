import type { ItemEvent, Moved, Opened, Recorded } from '../../kernel/event.ts';
import { probesOf } from '../../kernel/guidance.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { isClaim, isPass } from '../gates.ts';
import { type Counts, countFor } from './counts.ts';

/** What has to be remembered of an item while its events go by; nothing of it grows with its history. */
export interface Running {
  readonly protocol: Protocol;
  readonly list: string;
  state: string;
  since: string;
  /** Who claimed last, '' before anybody did, and where the whole of a goal was tried. */
  claimer: string;
  claims: number;
  /** A pass that stands: taken back, it was a miss of the verifier. */
  passed: boolean;
  legacy: boolean;
}

export const begun = (protocol: Protocol, { list, state, at, legacy }: Opened): Running => ({
  ...{ protocol, list, state, since: at, legacy },
  ...{ claimer: '', claims: 0, passed: false },
});

/** Adds one event of an item to the counts. */
export function tally(counts: Counts, item: Running, event: ItemEvent): void {
  if (event.type === 'moved') moved(counts, item, event);
  if (event.type === 'recorded') recorded(counts, item, event);
  // New work took up what had been finished: it was no completion (2PC-90).
  if (event.type === 'linked' && event.kind === 'regression') takenBack(counts, item);
}

function moved(counts: Counts, item: Running, event: Moved): void {
  const { protocol } = item;
  const by = { protocol: protocol.name };
  if (event.by !== 'engine')
    counts.seen.actors.set(`${protocol.name} ${event.by}`, { ...by, agent: event.by });
  if (isClaim(event)) {
    claimed(counts, item, event);
  }
  if (event.command === 'fail') countFor(counts.failures, { state: event.origin, agent: event.by }, 1);
  if (event.command === 'reject-verification') countFor(counts.rejectedAfter, by, 1);
  if (isPass(protocol, event)) item.passed = true;
  else if (item.passed && REJECTING.has(event.command)) takenBack(counts, item);
  if (event.from === event.to) return;
  const minutes = (Date.parse(event.at) - Date.parse(item.since)) / 60_000;
  countFor(counts.minutesInState, { ...by, state: event.from }, minutes);
  countFor(counts.staysInState, { ...by, state: event.from }, 1);
  item.state = event.to;
  item.since = event.at;
  if (protocol.states[event.to]?.success === true && !item.legacy) countFor(counts.completions, by, 1);
}

/** Whoever tries the whole of a goal claims nothing of their own: what fails there is nobody's false claim. */
function claimed(counts: Counts, item: Running, { by: agent, row }: Moved): void {
  const { name: protocol, rows } = item.protocol;
  const own = rows[row]?.requires.flatMap(probesOf).includes('claimed-work') ?? true;
  item.claimer = own ? agent : '';
  if (!own) return;
  item.claims += 1;
  countFor(counts.claims, { protocol, agent }, 1);
  if (item.claims > 1) countFor(counts.reworkRounds, { protocol }, 1);
}

/** Ways back out of a pass: what was confirmed did not hold. */
const REJECTING = new Set(['reopen', 'reject-goal', 'supersede']);

function takenBack(counts: Counts, item: Running): void {
  if (!item.passed) return;
  item.passed = false;
  countFor(counts.misses, { protocol: item.protocol.name }, 1);
}

function recorded(counts: Counts, { protocol, claimer }: Running, event: Recorded): void {
  const by = { protocol: protocol.name, agent: claimer };
  if (event.kind === 'proof-pack') {
    if (claimer !== '') countFor(event.outcome === 'PASSED' ? counts.passed : counts.refusedClaims, by, 1);
    if (event.outcome === 'PASSED')
      countFor(counts.independence, { protocol: protocol.name, level: event.independence }, 1);
  }
  if (event.kind === 'inconclusive' && claimer !== '') countFor(counts.inconclusive, by, 1);
  if (event.kind === 'quality' && event.outcome === 'REJECTED')
    countFor(counts.rejectedAfter, { protocol: protocol.name }, 1);
}

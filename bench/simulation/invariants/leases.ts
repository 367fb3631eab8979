import type { Chronicle } from '../chronicle.ts';
import type { Granted } from '../process.ts';
import type { Invariant } from './invariant.ts';

/** How far clocks of processes are apart, at most. */
const SKEW_MS = 4 * 60_000;

const last = new WeakMap<Chronicle['town'], Map<string, Granted>>();

/** A job has one holder, and each lease of it a greater fence; only who holds the newest finishes it. */
export const oneHolder: Invariant = (chronicle) => {
  const { granted, town, acknowledged, fresh, streams } = chronicle;
  const holders = last.get(town) ?? new Map<string, Granted>();
  last.set(town, holders);
  const found: string[] = [];
  for (const grant of granted) {
    const key = `${grant.job.topic} ${grant.job.key}`;
    const before = holders.get(key);
    holders.set(key, grant);
    if (before === undefined) continue;
    if (grant.job.fence <= before.job.fence)
      found.push(`${key} was leased with fence ${grant.job.fence} after ${before.job.fence}`);
    if (isHeld(before, grant, town.dead))
      found.push(
        `${key} was leased to ${grant.process} while ${before.process} holds it until ${before.until}`,
      );
  }
  for (const { process, commit } of acknowledged)
    for (const { topic, key, token } of commit.fences) {
      const newest = holders.get(`${topic} ${key}`)?.job.fence ?? token;
      if (token < newest)
        found.push(`${process} wrote under fence ${token} of ${topic} ${key}, and ${newest} was given out`);
    }
  return [
    ...found,
    ...takenTwice(
      fresh.map(({ stream }) => stream),
      streams,
    ),
  ];
};

/** Whether somebody else holds it still: alive, not given back, and not run out by the clock of who comes. */
function isHeld(before: Granted, { process, at, until }: Granted, dead: ReadonlySet<string>): boolean {
  const isBack = Date.parse(before.until) <= Date.parse(before.at) + SKEW_MS;
  // Who gives back takes it once more, until now.
  const isGivingBack = process === before.process && Date.parse(until) <= Date.parse(at) + SKEW_MS;
  return (
    !isBack &&
    !isGivingBack &&
    !dead.has(before.process) &&
    Date.parse(before.until) > Date.parse(at) + SKEW_MS
  );
}

interface Handed {
  readonly type: string;
  readonly data: { readonly session: string };
}

/** Leases that are streams: taken only where nobody holds them, and shown alive and given back by their holder. */
function takenTwice(touched: readonly string[], streams: Chronicle['streams']): readonly string[] {
  const leases = [...new Set(touched)].filter((stream) => stream.startsWith('lease/'));
  return leases.flatMap((stream) => {
    let holder = '';
    return (streams.get(stream) ?? []).flatMap(({ body, version }) => {
      const { type, data } = JSON.parse(body) as Handed;
      const isTaking = type === 'lease-taken';
      const isWrong = isTaking === (holder !== '');
      const what = `${stream}@${version}: ${type} by ${data.session} while ${holder || 'nobody'} holds it`;
      if (isTaking) holder = data.session;
      if (type === 'lease-released') holder = '';
      return isWrong ? [what] : [];
    });
  });
}

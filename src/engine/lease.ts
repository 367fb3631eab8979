import type { Job } from '../store/store.ts';
import type { Handle } from './handle.ts';
import { nowOf, type Ports } from './ports.ts';
import { jobKey, VERIFY } from './work.ts';

export interface Leased {
  readonly kind: 'leased';
  readonly key: string;
  readonly fence: number;
}

export type Lease = Leased | { readonly kind: 'held'; readonly job: Job | undefined };

/** Longest that a piece of work is believed to go on without its process having ended. */
const LEASE_MS = 60 * 60_000;
/** A verification renews its lease while it runs: that of a machine that is gone, which nobody here can tell, ends soon. */
const VERIFY_MS = 5 * 60_000;
const RENEW_MS = 60_000;

/**
 * Takes the verification of an item's present attempt, so that two askers run it once (2PC-60). A lease whose
 * process is known to be dead is as good as expired; its fence keeps a late answer of that process out.
 */
export const takeJob = (ports: Ports, { id, item }: Handle): Promise<Lease> =>
  takeOne(ports, VERIFY, jobKey(id, item), VERIFY_MS);

/** The same for a job of any topic. */
export async function takeOne(ports: Ports, topic: string, key: string, ms = LEASE_MS): Promise<Lease> {
  const now = nowOf(ports);
  const until = untilOf(ports, ms);
  const present = await ports.store.job(topic, key);
  const ownerDied = present !== undefined && present.owner !== '' && !ports.process.isAlive(present.owner);
  // Who asks does not wait for a clock that was ahead when the job was made.
  const waiting = [now, present?.availableAt ?? ''].toSorted().at(-1) ?? now;
  const asOf = ownerDied && present.leaseUntil > waiting ? after(present.leaseUntil) : waiting;
  const [job] = await ports.store.claim(
    topic,
    asOf,
    1,
    until > asOf ? until : after(asOf),
    ports.process.owner,
    key,
  );
  return job === undefined ? { kind: 'held', job: present } : { kind: 'leased', key, fence: job.fence };
}

/** Renews the lease of a verification as long as it runs; what is answered ends that, and tells the lease as it then stands. */
export function holding(ports: Ports, leased: Leased): () => Promise<Leased> {
  let held = leased;
  let renewing = Promise.resolve();
  const renew = async () => {
    held = await renewed(ports, held);
  };
  // A store that is away for a moment is asked again the next time.
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(() => {});
  }, RENEW_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await renewing;
    return held;
  };
}

/** One that another has taken over stays theirs. */
async function renewed(ports: Ports, leased: Leased): Promise<Leased> {
  const { owner } = ports.process;
  const job = await ports.store.job(VERIFY, leased.key);
  if (job === undefined || job.finished || job.owner !== owner) return leased;
  const until = untilOf(ports, VERIFY_MS);
  if (until <= job.leaseUntil) return { ...leased, fence: job.fence };
  const [mine] = await ports.store.claim(VERIFY, after(job.leaseUntil), 1, until, owner, leased.key);
  return mine === undefined ? leased : { ...leased, fence: mine.fence };
}

/** Gives back a verification that came to nothing, so that the next asker need not wait for the lease to run out. */
export const giveBack = (ports: Ports, leased: Leased): Promise<void> => giveBackOne(ports, VERIFY, leased);

/** The same for a job of any topic. */
export async function giveBackOne(ports: Ports, topic: string, { key, fence }: Leased): Promise<void> {
  const job = await ports.store.job(topic, key);
  if (job === undefined || job.finished || job.fence !== fence) return;
  await ports.store.claim(topic, after(job.leaseUntil), 1, nowOf(ports), ports.process.owner, key);
}

const untilOf = (ports: Ports, ms: number) => new Date(ports.clock().getTime() + ms).toISOString();

const after = (iso: string) => new Date(Date.parse(iso) + 1).toISOString();

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

/** Longest that a verification is believed to run without its process having ended. */
const LEASE_MS = 60 * 60_000;

/**
 * Takes the verification of an item's present attempt, so that two askers run it once (2PC-60). A lease whose
 * process is known to be dead is as good as expired; its fence keeps a late answer of that process out.
 */
export const takeJob = (ports: Ports, { id, item }: Handle): Promise<Lease> =>
  takeOne(ports, VERIFY, jobKey(id, item));

/** The same for a job of any topic. */
export async function takeOne(ports: Ports, topic: string, key: string): Promise<Lease> {
  const now = nowOf(ports);
  const until = new Date(ports.clock().getTime() + LEASE_MS).toISOString();
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

/** Gives back a verification that came to nothing, so that the next asker need not wait for the lease to run out. */
export const giveBack = (ports: Ports, leased: Leased): Promise<void> => giveBackOne(ports, VERIFY, leased);

/** The same for a job of any topic. */
export async function giveBackOne(ports: Ports, topic: string, { key, fence }: Leased): Promise<void> {
  const job = await ports.store.job(topic, key);
  if (job === undefined || job.finished || job.fence !== fence) return;
  await ports.store.claim(topic, after(job.leaseUntil), 1, nowOf(ports), ports.process.owner, key);
}

const after = (iso: string) => new Date(Date.parse(iso) + 1).toISOString();

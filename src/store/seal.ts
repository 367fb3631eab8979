import { createHash } from 'node:crypto';
import type { Job } from './store.ts';

/** Hex SHA-256 over every field of a job, so that a row changed outside the store no longer fits its seal. */
export function sealOf(job: Job): string {
  const { topic, key, payload, availableAt, fence, owner, leaseUntil, finished } = job;
  const text = JSON.stringify([topic, key, payload, availableAt, fence, owner, leaseUntil, finished]);
  return createHash('sha256').update(text).digest('hex');
}

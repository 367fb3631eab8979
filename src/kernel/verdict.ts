/**
 * satisfied, not-applicable and overridden open a gate; unsatisfied and error close it.
 * What could not be checked is an error, never a pass.
 */
export type Status = 'satisfied' | 'unsatisfied' | 'not-applicable' | 'overridden' | 'error';

/** What one guard said, why, and what would satisfy it. */
export interface Verdict {
  readonly guard: string;
  readonly status: Status;
  readonly because: string;
  /** The next step for a person or agent; '' when nothing is missing. */
  readonly fix: string;
}

/** True when the verdict does not stand in the way. */
export function opens({ status }: Verdict): boolean {
  return status === 'satisfied' || status === 'not-applicable' || status === 'overridden';
}

export function satisfied(guard: string, because: string): Verdict {
  return { guard, status: 'satisfied', because, fix: '' };
}

export function unsatisfied(guard: string, because: string, fix: string): Verdict {
  return { guard, status: 'unsatisfied', because, fix };
}

/** `holds ? satisfied : unsatisfied` with one reason for both. */
export function judged(guard: string, holds: boolean, because: string, fix: string): Verdict {
  return holds ? satisfied(guard, because) : unsatisfied(guard, because, fix);
}

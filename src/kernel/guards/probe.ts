import type { Context } from '../context.ts';
import type { Verdict } from '../verdict.ts';

/** The engine looked outside for this very command and found it so. Not looked, or could not look: error. */
export interface Probe {
  readonly guard: 'probe';
  readonly name: string;
}

export const probe = (name: string): Probe => ({ guard: 'probe', name });

export function checkProbe({ guard, name }: Probe, { gathered }: Context): Verdict {
  const found = gathered.probes[name];
  if (found === undefined) return { guard, status: 'error', because: `${name} was not checked`, fix: '' };
  return { guard, ...found };
}

import { sha256Hex } from '../attestation/digest.ts';
import type { CheckSpec } from './checks/index.ts';
import type { Criteria } from './criteria.ts';
import type { Memory } from './trees.ts';

/** How long the checks of these criteria took last time on this machine. For people who wait; it decides nothing. */
export interface Pace {
  /** Milliseconds for these checks; undefined when one of them never ran. */
  left(checks: readonly CheckSpec[]): number | undefined;
  /** Milliseconds by the id of a check. */
  keep(took: ReadonlyMap<string, number>): Promise<void>;
}

export async function paceOf(memory: Memory, { digest }: Criteria): Promise<Pace> {
  const key = sha256Hex(`pace/1 ${digest}`);
  const kept: unknown = JSON.parse((await memory.recall(key)) ?? '{}');
  const known = new Map<string, number>(Object.entries(kept ?? {}));
  return {
    left(checks) {
      const each = checks.map(({ id }) => known.get(id));
      return each.some((ms) => ms === undefined)
        ? undefined
        : each.reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
    },
    keep: (took) => memory.keep(key, JSON.stringify(Object.fromEntries(took))),
  };
}

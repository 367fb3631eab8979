/** So many requests at once, and so many a second after that. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Counts requests of each caller; what is long gone is forgotten. */
export function limiter({ burst, perSecond }: Rate, now: () => number) {
  const callers = new Map<string, { left: number; at: number }>();
  return {
    /** Seconds to wait, 0 where the request may go on. */
    wait(caller: string): number {
      const at = now();
      const known = callers.get(caller) ?? { left: burst, at };
      const left = Math.min(burst, known.left + ((at - known.at) / 1_000) * perSecond);
      if (left < 1) {
        callers.set(caller, { left, at });
        return Math.max(1, Math.ceil((1 - left) / perSecond));
      }
      callers.set(caller, { left: left - 1, at });
      if (callers.size > MOST_CALLERS) callers.delete(callers.keys().next().value ?? '');
      return 0;
    },
    /** Seconds that the next one would have to wait; nothing is counted. */
    look(caller: string): number {
      const known = callers.get(caller);
      const left = known === undefined ? burst : known.left + ((now() - known.at) / 1_000) * perSecond;
      return left < 1 ? Math.max(1, Math.ceil((1 - left) / perSecond)) : 0;
    },
  };
}

const MOST_CALLERS = 10_000;

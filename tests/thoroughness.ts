/** How often a random test is played: the usual share, or as often as it can be with COUNTERSIGN_THOROUGH=1. */
export const runs = (usual: number, thorough: number): number =>
  process.env.COUNTERSIGN_THOROUGH === '1' ? thorough : usual;

/** Of a list of cases the first, the last and some between them, evenly; all of them with COUNTERSIGN_THOROUGH=1. */
export function someOf<T>(all: readonly T[], usual: number): readonly T[] {
  const count = runs(Math.min(usual, all.length), all.length);
  const step = count < 2 ? 0 : (all.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, n) => all[Math.round(n * step)] as T);
}

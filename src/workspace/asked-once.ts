import type { RefReader, RefsRead } from './refs-read.ts';

/** Asks git, unless it was asked the same while the refs said the same. `names` are all refs that the answer hangs on. */
export type AskedOnce = <T>(
  question: string,
  names: readonly string[],
  ask: () => T,
  agrees: (answer: T, refs: RefsRead) => boolean,
) => T;

/** Questions that are kept: a repository has a handful, and a server lives long. */
const MOST = 64;

/**
 * Remembers answers that hang on refs and on nothing else. An answer is kept only when it agrees with the refs as they
 * were read before git was asked, so whatever moved meanwhile is never kept under what was there before.
 */
export function askedOnce(read: RefReader): AskedOnce {
  const kept = new Map<string, { readonly key: string; readonly answer: unknown }>();
  return <T>(
    question: string,
    names: readonly string[],
    ask: () => T,
    agrees: (answer: T, refs: RefsRead) => boolean,
  ) => {
    const refs = read(names);
    const known = kept.get(question);
    if (refs !== undefined && known?.key === refs.key) return known.answer as T;
    const answer = ask();
    kept.delete(question);
    if (refs === undefined || !agrees(answer, refs)) return answer;
    if (kept.size >= MOST) kept.clear();
    kept.set(question, { key: refs.key, answer });
    return answer;
  };
}

import type { Commit, CommitResult } from '../store.ts';
import type { SqliteStore } from './sqlite-store.ts';

interface Waiting {
  readonly commit: Commit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** More than these wait for the next turn, so that nobody waits long. */
const MOST = 256;

/**
 * The commits of a store that are asked for in one turn of the event loop are made durable together: one sync of the disk for
 * all of them, which is what a process that serves many callers spends its time on. Each is answered as if it came alone.
 */
export function grouped(
  store: Pick<SqliteStore, 'commitTogether'>,
): (commit: Commit) => Promise<CommitResult> {
  let queue: Waiting[] = [];
  const flush = async () => {
    const turn = queue.slice(0, MOST);
    queue = queue.slice(MOST);
    if (queue.length > 0) setImmediate(flush);
    try {
      const all = await store.commitTogether(turn.map(({ commit }) => commit));
      turn.forEach(({ resolve, reject }, i) => {
        const one = all[i];
        if (one !== undefined && 'result' in one) resolve(one.result);
        else reject(one?.error);
      });
    } catch (error) {
      for (const { reject } of turn) reject(error);
    }
  };
  return (commit) =>
    new Promise((resolve, reject) => {
      queue.push({ commit, resolve, reject });
      if (queue.length === 1) setImmediate(flush);
    });
}

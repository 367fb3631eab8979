import type { Caller } from '../engine/caller.ts';
import { numberOf } from '../engine/display.ts';
import type { Ports } from '../engine/ports.ts';
import { type Verified, verify } from '../engine/verify.ts';

/** A verification that this server runs; whoever asks for it again meanwhile waits for the same one. */
interface Running {
  readonly end: Promise<Verified>;
  readonly by: string;
  last: string;
}

/** How far a verification is: at its end, or under way with what it said last. */
export type Reached = { readonly verified: Verified } | { readonly last: string };

export interface Runs {
  readonly reach: (
    ports: Ports,
    caller: Caller,
    asked: { readonly ref: string; readonly notes: string },
    waiting: Waiting,
  ) => Promise<Reached>;
  /** Whether this actor's verification of an item runs here. */
  readonly isRunning: (caller: Caller, ref: string) => boolean;
  /** Stops what runs, and waits until it has ended. */
  readonly stop: () => Promise<void>;
}

export interface Waiting {
  readonly milliseconds: number;
  readonly onProgress: (line: string) => void;
}

/**
 * Verifications outlive the call that began them: a client gives up on a call long before a test suite has ended. The
 * next call for the same item waits on, and gets the answer.
 */
export function runsOf(): Runs {
  const running = new Map<string, Running>();
  const abort = new AbortController();
  return {
    isRunning: (caller, ref) => running.has(keyOf(caller, ref)),
    async reach(ports, caller, { ref, notes }, { milliseconds, onProgress }) {
      const key = keyOf(caller, ref);
      let run = running.get(key);
      if (run === undefined) {
        const begun: Running = { end: Promise.resolve() as never, by: caller.actor.id, last: 'begun' };
        const say = (line: string) => {
          begun.last = line;
          onProgress(line);
        };
        const end = verify(ports, caller, { ref, notes, signal: abort.signal, onProgress: say });
        run = Object.assign(begun, { end });
        running.set(key, run);
        // Whether anybody waits for it is only known later.
        end.catch(() => {});
      }
      const reached = await Promise.race([
        run.end.then((verified) => ({ verified })),
        pause(milliseconds),
      ]).catch((error: unknown) => {
        running.delete(key);
        throw error;
      });
      if (reached === undefined) return { last: run.last };
      running.delete(key);
      return reached;
    },
    async stop() {
      abort.abort();
      await Promise.allSettled([...running.values()].map(({ end }) => end));
    },
  };
}

/** An item by its number, however it is written. */
const keyOf = ({ actor }: Caller, ref: string): string => `${numberOf(ref) ?? ref} ${actor.id}`;

const pause = (milliseconds: number) =>
  new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), milliseconds).unref();
  });

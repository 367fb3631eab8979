import { setTimeout as pause } from 'node:timers/promises';
import type { Opened } from '../engine/composition.ts';
import { EngineError } from '../engine/engine-error.ts';

/** Who reads on is looked at so often. */
const LOOK_MS = 1_000;
/** An idle stream says so each so many looks, so that nothing between closes it. */
const STILL_THERE = 15;

/** Who follows the log, from where, and until when. */
export interface Follower {
  readonly after: number;
  /** The client is gone, or the server ends. */
  readonly signal: AbortSignal;
  /** Whether the client would still be let in. */
  readonly isIn: () => Promise<boolean>;
  readonly onEnd: () => void;
}

/**
 * Server-sent events (WHATWG HTML 9.2): every event of the log after a position, then new ones as they come, without gaps or
 * repeats. The id of each is its position: a follower that comes back with Last-Event-ID goes on where it was. A stream
 * ends with the right to read it.
 */
export function eventStream({ ports }: Pick<Opened, 'ports'>, follower: Follower): Response {
  const { after, signal, isIn, onEnd } = follower;
  const end = new AbortController();
  const encoder = new TextEncoder();
  const events = ports.store.follow(after, end.signal)[Symbol.asyncIterator]();
  let close = () => {};
  const finish = once(() => {
    signal.removeEventListener('abort', finish);
    end.abort();
    close();
    onEnd();
  });
  const body = new ReadableStream<Uint8Array>({
    start(out) {
      const say = (text: string) => out.enqueue(encoder.encode(text));
      close = () => out.close();
      say('retry: 1000\n\n');
      void whileIn(isIn, () => say(': still there\n\n'), end.signal)
        .catch(() => {})
        .finally(finish);
    },
    async pull(out) {
      const next = await events.next().catch(() => ({ done: true as const, value: undefined }));
      if (end.signal.aborted) return;
      if (next.done === true) finish();
      else out.enqueue(encoder.encode(told(next.value)));
    },
    cancel() {
      // Nobody reads any more, and what is closed cannot be closed again.
      close = () => {};
      finish();
    },
  });
  signal.addEventListener('abort', finish);
  if (signal.aborted) finish();
  return new Response(body, { headers: STREAM_HEADERS });
}

/** Ends when the client would not be let in any more; what cannot be looked at counts as that. Throws when aborted. */
async function whileIn(isIn: Follower['isIn'], say: () => void, signal: AbortSignal): Promise<void> {
  for (let looks = 1; ; looks += 1) {
    await pause(LOOK_MS, undefined, { signal, ref: false });
    if (!(await isIn())) return;
    if (looks % STILL_THERE === 0 && !signal.aborted) say();
  }
}

function once(task: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    task();
  };
}

/** Places for streams: so many for each caller, and so many for all. */
export function seatsFor({ each, all }: { readonly each: number; readonly all: number }) {
  const taken = new Map<string, number>();
  let open = 0;
  return {
    /** What gives the place back; undefined where there is none left. */
    take(caller: string): (() => void) | undefined {
      const own = taken.get(caller) ?? 0;
      if (own >= each || open >= all) return undefined;
      taken.set(caller, own + 1);
      open += 1;
      return () => {
        open -= 1;
        const left = (taken.get(caller) ?? 1) - 1;
        if (left > 0) taken.set(caller, left);
        else taken.delete(caller);
      };
    },
  };
}

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

interface Followed {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly hash: string;
  readonly body: string;
}

function told({ position, stream, version, hash, body }: Followed): string {
  const event = JSON.parse(body) as { readonly type: string };
  const data = JSON.stringify({ position, stream, version, hash, event });
  return `id: ${position}\nevent: ${event.type}\ndata: ${data}\n\n`;
}

/** Throws BAD_INPUT. */
export function positionOf(text: string | undefined): number {
  const given = text ?? '0';
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new EngineError(
    'BAD_INPUT',
    `after=${given} is no position in the log`,
    'after=0 begins at the start',
  );
}

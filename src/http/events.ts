import { EngineError } from '../engine/engine-error.ts';
import type { Served } from './served.ts';

/** An idle stream says so, so that nothing between closes it. */
const STILL_THERE_MS = 15_000;

/**
 * Server-sent events (WHATWG HTML 9.2): every event of the log after a position, then new ones as they come, without gaps or
 * repeats. The id of each is its position: a follower that comes back with Last-Event-ID goes on where it was.
 */
export function eventStream(
  { opened }: Pick<Served, 'opened'>,
  after: number,
  signal: AbortSignal,
  onEnd: () => void,
): Response {
  const end = new AbortController();
  const encoder = new TextEncoder();
  const events = opened.ports.store.follow(after, end.signal)[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let gone = false;
  const finish = () => {
    if (ended) return;
    ended = true;
    clearInterval(timer);
    signal.removeEventListener('abort', finish);
    end.abort();
    onEnd();
  };
  signal.addEventListener('abort', finish, { once: true });
  const body = new ReadableStream<Uint8Array>({
    start(out) {
      out.enqueue(encoder.encode('retry: 1000\n\n'));
      timer = setInterval(() => out.enqueue(encoder.encode(': still there\n\n')), STILL_THERE_MS);
      timer.unref();
    },
    async pull(out) {
      const next = await events.next().catch(() => ({ done: true as const, value: undefined }));
      if (next.done === true) {
        finish();
        if (!gone) out.close();
      } else out.enqueue(encoder.encode(told(next.value)));
    },
    cancel() {
      gone = true;
      finish();
    },
  });
  return new Response(body, { headers: STREAM_HEADERS });
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

import type { Context } from 'hono';
import { problem } from './status.ts';

/** Refuses bodies that are larger, also those that do not say how large they are, which are read here. */
export function bodyWithin(most: number) {
  return async (c: Context, next: () => Promise<void>) => {
    const asked = c.req.raw;
    const said = asked.headers.get('content-length');
    if (said !== null && Number(said) > most) return tooLarge(most);
    if (said === null && asked.headers.has('transfer-encoding') && asked.body !== null) {
      const body = await readAtMost(asked.body, most);
      if (body === undefined) return tooLarge(most);
      const { method, headers, signal } = asked;
      c.req.raw = new Request(asked.url, { method, headers, signal, body });
    }
    return next();
  };
}

async function readAtMost(body: ReadableStream<Uint8Array>, most: number): Promise<ArrayBuffer | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > most) return undefined;
    pieces.push(Uint8Array.from(piece));
  }
  return new Blob(pieces).arrayBuffer();
}

const tooLarge = (most: number) =>
  problem(413, {
    code: 'BAD_INPUT',
    message: `a request has at most ${most} bytes`,
    hint: 'send less at once',
  });

import { Transform, type TransformCallback } from 'node:stream';

/** Longest message that is kept to be looked at, in bytes; a longer one is left to the library, which has its own limit. */
const LONGEST = 8 * 1024 * 1024;
const NEW_LINE = 10;

/**
 * What a client says, line by line. A line that is no message of JSON-RPC goes no further: it is answered with the error of
 * the specification, so that whoever waits for an answer gets one. A byte order mark is no part of a message.
 */
export function messagesOnly(out: (text: string) => void): Transform {
  let pending: Buffer[] = [];
  let size = 0;
  let isTooLong = false;
  function line(this: Transform, last: Buffer, isWhole: boolean): void {
    const text = Buffer.concat([...pending, last]);
    [pending, size] = [[], 0];
    if (isTooLong) this.push(text);
    else this.push(checked(text.toString('utf8'), out));
    if (isWhole) isTooLong = false;
  }
  return new Transform({
    transform(this: Transform, chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      let from = 0;
      for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, from)) {
        line.call(this, chunk.subarray(from, at + 1), true);
        from = at + 1;
      }
      pending.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > LONGEST) {
        isTooLong = true;
        line.call(this, Buffer.alloc(0), false);
      }
      done();
    },
    flush(this: Transform, done: TransformCallback) {
      line.call(this, Buffer.alloc(0), true);
      done();
    },
  });
}

/** The line as the library takes it; '' for what was answered here. */
function checked(line: string, out: (text: string) => void): string {
  const text = line.replace(/^\uFEFF/, '').trim();
  if (text === '') return '';
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    out(failure(null, -32700, 'Parse error: the line is no JSON'));
    return '';
  }
  const wrong = wrongIn(message);
  if (wrong === '') return `${text}\n`;
  const { id } = (message ?? {}) as { readonly id?: unknown };
  out(failure(isId(id) ? id : null, -32600, `Invalid Request: ${wrong}`));
  return '';
}

/** What makes it no message, '' for one. */
function wrongIn(message: unknown): string {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return 'it is no object';
  const fields = message as { readonly [name: string]: unknown };
  const { jsonrpc, id, method, params } = fields;
  if (jsonrpc !== '2.0') return 'jsonrpc is not "2.0"';
  if ('id' in fields && !isId(id)) return 'its id is no text and no whole number';
  if ('method' in fields && typeof method !== 'string') return 'its method is no text';
  if (!('method' in fields || 'result' in fields || 'error' in fields)) return 'it has no method';
  if ('params' in fields && (typeof params !== 'object' || params === null || Array.isArray(params)))
    return 'its params are no object';
  return '';
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);

const failure = (id: string | number | null, code: number, message: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`;

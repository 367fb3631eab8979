import type { Asked } from '../asked.ts';
import type { Asking, Frame, Typed } from '../frames.ts';
import type { Address } from './address.ts';
import { linesOf, send, textOf, unreachable } from './exchange.ts';

/** One command line for a server, as it goes over the wire. */
export interface Line extends Omit<Asked, 'files' | 'reached'> {
  readonly files: { readonly [path: string]: string };
  readonly reached?: readonly string[];
}

export interface Ends {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly file: (path: string, bytes: Buffer) => void;
  readonly token: (actor: string, token: string) => void;
  readonly ask: (asking: Asking) => Promise<Typed>;
  readonly signal: AbortSignal;
  /** Waits before the next try, so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

const TRIES = 6;

/**
 * Has a server run a command, and hands on what it says. Where the connection is lost it asks again under the same id: what
 * was done is not done twice. Answers the exit code. Throws UNREACHABLE.
 */
export async function runThere(
  address: Address,
  authorization: string,
  id: string,
  line: Line,
  ends: Ends,
): Promise<number> {
  const told = { frames: 0 };
  for (let round = 1; ; round++) {
    try {
      return await once({ address, authorization, id }, line, ends, told);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== 'UNREACHABLE' || round >= TRIES || ends.signal.aborted) throw error;
      await ends.pause(50 * 2 ** round);
    }
  }
}

interface Way {
  readonly address: Address;
  readonly authorization: string;
  readonly id: string;
}

async function once(way: Way, line: Line, ends: Ends, told: { frames: number }): Promise<number> {
  const { address, authorization, id } = way;
  const headers = { 'idempotency-key': id, ...(authorization === '' ? {} : { authorization }) };
  const body = JSON.stringify(line);
  const { signal } = ends;
  const answer = await send(address, { method: 'POST', path: '/v1/commands', headers, body, signal });
  if (answer.statusCode !== 200) return refusedBy(await textOf(answer), line, ends, answer.statusCode ?? 0);
  let seen = 0;
  try {
    for await (const text of linesOf(answer)) {
      const frame = JSON.parse(text) as Frame;
      if ('exit' in frame) return frame.exit;
      if ('ask' in frame) await answered(way, await ends.ask(frame.ask), frame.ask.id);
      else if ('token' in frame) ends.token(frame.token.actor, frame.token.token);
      else {
        seen += 1;
        // What was heard before the connection was lost is not said again.
        if (seen > told.frames) hear(frame, ends);
        told.frames = Math.max(told.frames, seen);
      }
    }
  } catch (error) {
    throw unreachable(address, error as Error);
  }
  throw unreachable(address, new Error('the answer was cut off'));
}

function hear(
  frame: Exclude<Frame, { exit: number } | { ask: Asking } | { token: unknown }>,
  ends: Ends,
): void {
  if ('out' in frame) ends.out(frame.out);
  else if ('err' in frame) ends.err(frame.err);
  else ends.file(frame.file.path, Buffer.from(frame.file.base64, 'base64'));
}

async function answered({ address, authorization }: Way, typed: Typed, id: string): Promise<void> {
  const headers: { [name: string]: string } = authorization === '' ? {} : { authorization };
  const sent = { method: 'POST', path: `/v1/answers/${id}`, headers, body: JSON.stringify(typed) } as const;
  (await send(address, sent)).resume();
}

/** The server did not run it. */
function refusedBy(text: string, { words }: Line, { out, err }: Ends, status: number): number {
  const exit = EXITS[status] ?? 8;
  if (words.includes('--json')) {
    out(text);
    return exit;
  }
  const { message, hint } = failureIn(text, status);
  err(`refused: ${message}\n${hint === '' ? '' : `next: ${hint}\n`}`);
  return exit;
}

function failureIn(text: string, status: number): { readonly message: string; readonly hint: string } {
  try {
    const { error } = JSON.parse(text) as { error: { message: string; hint: string } };
    return { message: error.message, hint: error.hint };
  } catch {
    return {
      message: `the server answered with the status ${status}`,
      hint: 'is it a server of Countersign?',
    };
  }
}

const EXITS: { readonly [status: number]: number } = {
  400: 2,
  401: 7,
  403: 7,
  404: 5,
  409: 6,
  413: 2,
  429: 8,
};

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Adapter, Reading } from './adapters/adapter.ts';

/** What an agent told by its stream. */
export interface Heard {
  readonly said: string;
  readonly costUsd: number;
}

/** Reads a stream piece by piece. */
export interface Listener {
  hear(bytes: Buffer): void;
  /** The last line may have no end. */
  finish(): void;
  readonly heard: Heard;
}

const MOST_SAID = 2000;
/** A line longer than this is not read; it stays in the transcript. */
const LONGEST_LINE = 2 ** 23;
const PIECE = 2 ** 20;
const NEWLINE = 10;

export function listenTo(adapter: Adapter): Listener {
  const words = lastWords();
  let rest: Buffer[] = [];
  let held = 0;
  const take = (piece: Buffer) => {
    held += piece.length;
    if (held <= LONGEST_LINE) rest.push(Buffer.from(piece));
  };
  const endLine = () => {
    if (held > 0 && held <= LONGEST_LINE) words.add(read(adapter, Buffer.concat(rest).toString('utf8')));
    rest = [];
    held = 0;
  };
  return {
    hear(bytes) {
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
        take(bytes.subarray(from, at));
        endLine();
        from = at + 1;
      }
      take(bytes.subarray(from));
    },
    finish: endLine,
    get heard() {
      return words.heard();
    },
  };
}

/** Feeds what a file has from `offset` on, at most `most` bytes; answers where to go on. */
export function feed(listener: Listener, path: string, offset: number, most: number): number {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return offset;
  }
  try {
    const end = Math.min(fstatSync(file).size, offset + most);
    const piece = Buffer.allocUnsafe(Math.max(0, Math.min(PIECE, end - offset)));
    let at = offset;
    while (at < end) {
      const count = readSync(file, piece, 0, Math.min(piece.length, end - at), at);
      if (count === 0) break;
      listener.hear(piece.subarray(0, count));
      at += count;
    }
    return at;
  } finally {
    closeSync(file);
  }
}

/** The end of a text, within the characters that are kept of last words. */
export const ending = (text: string): string => {
  const cut = text.trim().slice(-MOST_SAID);
  // Not with half of a character that takes two.
  return /^[\uDC00-\uDFFF]/.test(cut) ? cut.slice(1) : cut;
};

/** An adapter promises not to throw; one that breaks the promise must not end a run. */
function read(adapter: Adapter, line: string): Reading {
  try {
    return adapter.read(line.endsWith('\r') ? line.slice(0, -1) : line);
  } catch {
    return {};
  }
}

function lastWords() {
  let text = '';
  let result = '';
  let total = 0;
  let steps = 0;
  let goesOn = false;
  return {
    add(reading: Reading) {
      if (reading.tool !== undefined) goesOn = false;
      if (reading.text !== undefined) {
        text = goesOn && reading.more ? `${text}${reading.text}`.slice(-2 * MOST_SAID) : reading.text;
        goesOn = reading.more === true;
      }
      if (reading.result !== undefined && reading.result !== '') result = reading.result;
      total = Math.max(total, reading.costUsd ?? 0);
      steps += Math.max(0, reading.stepUsd ?? 0);
    },
    heard: (): Heard => ({ said: ending(result || text), costUsd: Math.max(total, steps) }),
  };
}

import { closeSync, constants, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';

/** The controlling terminal, open for a conversation. Close it always. */
export interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** The terminal this process belongs to, whatever its input and output are joined to; undefined when it has none. */
export function openTerminal(): Terminal | undefined {
  const fds: number[] = [];
  try {
    fds.push(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY));
    fds.push(openSync('/dev/tty', constants.O_WRONLY | constants.O_NOCTTY));
    const [reading = -1, writing = -1] = fds;
    return { input: new ReadStream(reading), output: new WriteStream(writing) };
  } catch {
    // Whatever the reason, there is nobody to ask, and nobody asked means nothing confirmed.
    for (const fd of fds) closeSync(fd);
    return undefined;
  }
}

export function closeTerminal({ input, output }: Terminal): void {
  input.destroy();
  output.destroy();
}

/**
 * Asks for a line until `accepts` is true of it, `tries` times at most. Ctrl-C, the end of input and a terminal that
 * goes away are 'cancelled'. The terminal is afterwards as it was before.
 */
export function askForLine(
  { input, output }: Terminal,
  question: {
    readonly prompt: string;
    readonly again: string;
    readonly tries: number;
    readonly accepts: (line: string) => boolean;
  },
): Promise<'accepted' | 'wrong' | 'cancelled'> {
  return new Promise((resolve) => {
    const lines = createInterface({ input, output, terminal: true, historySize: 0, prompt: question.prompt });
    let left = question.tries;
    const end = (answer: 'accepted' | 'wrong' | 'cancelled') => {
      // The first answer stays: a promise is settled once.
      resolve(answer);
      lines.close();
    };
    lines.on('line', (line) => {
      const accepted = question.accepts(line);
      left -= 1;
      if (accepted) end('accepted');
      else if (left === 0) end('wrong');
      else {
        output.write(question.again);
        lines.prompt();
      }
    });
    // The line editor closes on Ctrl-C, on Ctrl-D and at the end of input.
    lines.on('close', () => resolve('cancelled'));
    input.on('error', () => end('cancelled'));
    output.on('error', () => end('cancelled'));
    lines.prompt();
  });
}

const ENDS = new Set(['\r', '\n']);
const CANCELS = new Set(['\u0003', '\u0004']);
const ERASES = new Set(['\u007f', '\b']);

/** Asks for a line that is not shown. Undefined after Ctrl-C and Ctrl-D, at the end of input, and for nothing typed. */
export function askInSecret({ input, output }: Terminal, prompt: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let typed = '';
    const end = (answer: string | undefined) => {
      input.setRawMode(false);
      output.write('\n');
      resolve(answer === '' ? undefined : answer);
    };
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.once('end', () => end(undefined));
    input.on('data', (piece: string) => {
      for (const character of piece) {
        if (ENDS.has(character)) return end(typed);
        if (CANCELS.has(character)) return end(undefined);
        typed = ERASES.has(character) ? typed.slice(0, -1) : typed + character;
      }
    });
    output.write(prompt);
  });
}

import { spawn } from 'node:child_process';
import type { Program } from './cli/program.ts';
import type { Session } from './session.ts';

export { buildProgram, type Program } from './cli/program.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program as a process without a terminal, whatever the tests themselves run in. */
export function inProcess(program: Program, session: Session, words: readonly string[]): Promise<Ended> {
  return ended(
    spawn('setsid', ['-w', process.execPath, program.path, ...words], {
      cwd: session.repo.top,
      env: session.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** Runs the program in a pseudo-terminal; `type` gets the code shown at each prompt and says what to type. */
export function inTerminal(
  program: Program,
  session: Session,
  words: readonly string[],
  type: (code: string, prompt: number) => string,
  passphrase = '',
): Promise<Ended> {
  const line = [process.execPath, program.path, ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: session.repo.top,
    env: session.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let screen = '';
  let prompts = 0;
  let given = false;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    if (!given && /Passphrase of \S+: /.test(screen)) {
      given = true;
      child.stdin.write(`${passphrase}\r`);
    }
    const shown = [...screen.matchAll(/Type (\w{6}) to confirm, Ctrl-C to decide nothing: /g)];
    const codes = new Set(shown.map(([, code]) => code));
    // The line editor may draw a prompt again, so wrong tries are counted by their answer.
    const asked = codes.size === 0 ? 0 : codes.size - 1 + screen.split('That is not the code.').length;
    if (asked <= prompts) return;
    prompts = asked;
    child.stdin.write(type(shown.at(-1)?.[1] ?? '', asked));
  });
  return ended(child);
}

/** What a process said, when it is over. */
export function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  const written = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    written.out += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    written.err += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...written }));
  });
}

import { spawn } from 'node:child_process';

/** How a program ended. `code` is -1 where it was killed or could not be started. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const MOST = 2 ** 27;
const GRACE = 2000;
/** Leaders of the groups that run now. */
const running = new Set<number>();

/**
 * Runs a program to its end, as the head of a group of its own; never rejects for what it did. When it has ended, or took
 * too long, whatever it started and left in its group ends as well.
 */
export function ended(
  file: string,
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { timeout = 180_000, quiet = false } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const stdio = quiet ? 'ignore' : 'pipe';
    const child = spawn(file, [...words], { cwd, env, detached: true, stdio: ['ignore', stdio, stdio] });
    const { pid = 0 } = child;
    if (pid > 0) running.add(pid);
    const overdue = setTimeout(() => signal(pid, 'SIGTERM'), timeout);
    const killed = setTimeout(() => signal(pid, 'SIGKILL'), timeout + GRACE);
    const [out, err] = [gathered(child.stdout), gathered(child.stderr)];
    child.once('exit', () => signal(pid, 'SIGKILL'));
    const end = (code: number) => {
      clearTimeout(overdue);
      clearTimeout(killed);
      running.delete(pid);
      resolve({ code, out: out(), err: err() });
    };
    child.once('error', () => end(-1));
    child.once('close', (code) => end(code ?? -1));
  });
}

/** Ends everything that still runs: first so that it can end what it started itself, then for good. */
export async function endAll(): Promise<void> {
  for (const pid of running) signal(pid, 'SIGTERM');
  const until = Date.now() + GRACE;
  while (running.size > 0 && Date.now() < until) await new Promise((again) => setTimeout(again, 50));
  for (const pid of running) signal(pid, 'SIGKILL');
}

function gathered(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST) chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function signal(leader: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (leader === 0) return;
  try {
    process.kill(-leader, name);
  } catch {
    // Nobody is left in the group.
  }
}

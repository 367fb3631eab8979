import { readFileSync, writeSync } from 'node:fs';
import { serverFor, surroundingsOf } from './hook-surroundings.ts';
import { answerHook } from './hooks/hook.ts';

/** countersign-hook claude-code [--actor NAME]: one event of a session on stdin, the answer on stdout; exit code 0 or 2. */
async function main(): Promise<void> {
  const { argv, env } = process;
  const at = argv.indexOf('--actor');
  const actor = at === -1 ? (env.COUNTERSIGN_ACTOR ?? '') : (argv[at + 1] ?? '');
  const server = serverNamed(env);
  const { stdout, stderr, code } =
    server === undefined
      ? await answerHook(given(), (cwd) => surroundingsOf(cwd, actor, env))
      : await (await import('./forward-hook.ts')).forwardHook(given(), server, actor, env);
  if (stdout !== '') writeSync(1, stdout);
  if (stderr !== '') writeSync(2, stderr);
  process.exitCode = code;
}

/** A setting that cannot be read names no server; whoever has no store here is told nothing. */
function serverNamed(env: NodeJS.ProcessEnv) {
  try {
    return serverFor(env);
  } catch {
    return undefined;
  }
}

/** Everything on stdin; '' where there is none. */
function given(): string {
  try {
    return readFileSync(0, 'utf8');
  } catch {
    return '';
  }
}

void main();

import { readFileSync, writeSync } from 'node:fs';
import { surroundingsOf } from './hook-surroundings.ts';
import { answerHook } from './hooks/hook.ts';

/** countersign-hook claude-code [--actor NAME]: one event of a session on stdin, the answer on stdout; exit code 0 or 2. */
async function main(): Promise<void> {
  const { argv, env } = process;
  const at = argv.indexOf('--actor');
  const actor = at === -1 ? (env.COUNTERSIGN_ACTOR ?? '') : (argv[at + 1] ?? '');
  const { stdout, stderr, code } = await answerHook(given(), (cwd) => surroundingsOf(cwd, actor, env));
  if (stdout !== '') writeSync(1, stdout);
  if (stderr !== '') writeSync(2, stderr);
  process.exitCode = code;
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

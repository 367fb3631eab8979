import { compose } from './compose.ts';
import type { Composition } from './engine/composition.ts';
import type { Here } from './forward.ts';
import { serverSetting } from './server-setting.ts';
import { writeText } from './standard-output.ts';

async function main(): Promise<void> {
  const ending = interruption();
  const { env, argv } = process;
  const all = argv.slice(2);
  const [face] = all;
  const around: Here = {
    env,
    cwd: process.cwd(),
    out: (text: string) => writeText(1, text),
    err: (text: string) => writeText(2, text),
    // Asked for by few commands, and a look at a stream makes the stream.
    get interactive() {
      return process.stdin.isTTY === true;
    },
    get color() {
      return colorful(env);
    },
    get signal() {
      return ending.signal();
    },
  };
  const code = await faced(all, around).catch((error: { message: string; hint?: string }) => {
    around.err(`refused: ${error.message}\n${error.hint ? `next: ${error.hint}\n` : ''}`);
    return 2;
  });
  process.exitCode = ending.hasBegun() && face !== 'serve' ? 130 : code;
}

/** Told by SIGINT and SIGTERM. Most commands end before they ask for the signal, and making one takes time. */
function interruption() {
  let begun = false;
  let controller: AbortController | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      begun = true;
      controller?.abort();
      process.exitCode = 130;
    });
  }
  const signal = (): AbortSignal => {
    controller ??= new AbortController();
    if (begun) controller.abort();
    return controller.signal;
  };
  return { signal, hasBegun: () => begun };
}

/** The first word picks the face; every word that names none is the CLI's, here or, where one is named, at a server. */
async function faced(all: readonly string[], around: Here): Promise<number> {
  const [face = '', ...words] = all;
  const composition = compose(around.cwd);
  // Help about a face is the command line's.
  if (words.includes('--help') || words.includes('-h')) return commandLine(all, composition, around);
  if (face === 'serve') return (await import('./serve.ts')).serve(words, around.cwd, around);
  if (face === 'connect' || face === 'disconnect')
    return (await import('./connect.ts')).connect(all, composition, around);
  const server = serverSetting(around.env, () => composition.locate().state);
  if (server !== undefined) return (await import('./forward.ts')).atServer(all, server, composition, around);
  if (face === 'mcp') return (await import('./mcp/serve.ts')).serveMcp(words, composition, around);
  return commandLine(all, composition, around);
}

async function commandLine(all: readonly string[], composition: Composition, around: Here): Promise<number> {
  return (await import('./cli/cli.ts')).runCli(all, composition, around);
}

/** NO_COLOR, FORCE_COLOR and TERM=dumb, as terminal programs agree on them. */
function colorful(env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return process.stderr.isTTY === true && env.TERM !== 'dumb';
}

void main();

import { compose } from './compose.ts';
import { writeText } from './standard-output.ts';

/** The first word picks the face; every word that names none is the CLI's. */
async function main(): Promise<void> {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      abort.abort();
      process.exitCode = 130;
    });
  }
  const { env, argv } = process;
  const [face, ...words] = argv.slice(2);
  const around = {
    env,
    out: (text: string) => writeText(1, text),
    err: (text: string) => writeText(2, text),
    // Asked for by few commands, and a look at a stream makes the stream.
    get interactive() {
      return process.stdin.isTTY === true;
    },
    get color() {
      return colorful(env);
    },
    signal: abort.signal,
  };
  const composition = compose(process.cwd());
  // Help about a face is the command line's.
  if (face === 'mcp' && !words.includes('--help')) {
    const { serveMcp } = await import('./mcp/serve.ts');
    process.exitCode = await serveMcp(words, composition, around);
    return;
  }
  const { runCli } = await import('./cli/cli.ts');
  const code = await runCli(argv.slice(2), composition, around);
  process.exitCode = abort.signal.aborted ? 130 : code;
}

/** NO_COLOR, FORCE_COLOR and TERM=dumb, as terminal programs agree on them. */
function colorful(env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return process.stderr.isTTY === true && env.TERM !== 'dumb';
}

void main();

import { spawn, spawnSync } from 'node:child_process';
import { WorkspaceError } from './workspace-error.ts';

/** Where git runs: a plain folder, or a known repository, which git then does not search for again. */
export type GitPlace = string | { readonly top: string; readonly gitDir: string };

/** Options of one git run: bytes for its standard input, and variables set on top of the scrubbed environment. */
export interface GitOptions {
  /** An exit code beside 0 that is an answer and no failure. */
  readonly accepts?: number;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

// Nothing that a repository's configuration could run or substitute takes part.
const safety = [
  '--no-pager',
  '--no-optional-locks',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  // The grafts file is set aside on purpose.
  '-c',
  'advice.graftFileDeprecated=false',
];

const fixed = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

/** The caller's environment without any GIT_ variable, plus what makes git read the objects as they are. */
export function gitEnvironment(place: GitPlace, extra: GitOptions['env'] = {}): NodeJS.ProcessEnv {
  const known = typeof place === 'string' ? {} : { GIT_DIR: place.gitDir, GIT_WORK_TREE: place.top };
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(inherited), ...fixed, ...known, ...extra };
}

/**
 * Runs git at `place` and answers its standard output. Throws GIT_FAILED with stderr, MISSING_OBJECT where it needs what
 * a partial clone left out, or GIT_MISSING.
 */
export function runGit(place: GitPlace, args: readonly string[], options: GitOptions = {}): Buffer {
  const { status, signal, stdout, stderr, error } = spawnSync('git', [...safety, ...args], {
    cwd: folderOf(place),
    env: gitEnvironment(place, options.env),
    input: options.input ?? '',
    maxBuffer: 1 << 30,
  });
  if (error !== undefined) throw notStarted(error);
  if (status !== 0 && status !== (options.accepts ?? 0))
    throw failed(args, status ?? signal, stderr.toString('utf8'));
  return stdout;
}

/** As runGit, without blocking; `onChunk` receives the output as it comes, and nothing is kept. */
export function streamGit(
  place: GitPlace,
  args: readonly string[],
  input: string,
  onChunk: (chunk: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...safety, ...args], {
      cwd: folderOf(place),
      env: gitEnvironment(place),
      // A pipe that nothing goes through still takes a millisecond to make and end.
      stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    let refusal: unknown;
    child.stdout?.on('data', (chunk: Buffer) => {
      if (refusal !== undefined) return;
      try {
        onChunk(chunk);
      } catch (error) {
        refusal = error;
        child.kill('SIGKILL');
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-8192);
    });
    // git may end before it has read all; its exit code tells the story, not the broken pipe.
    child.stdin?.on('error', () => undefined);
    child.on('error', (error) => reject(notStarted(error)));
    child.on('close', (code, signal) => {
      if (refusal !== undefined) reject(refusal);
      else if (code === 0) resolve();
      else reject(failed(args, code ?? signal, stderr));
    });
    child.stdin?.end(input);
  });
}

/** As runGit, without blocking. */
export async function runGitAsync(place: GitPlace, args: readonly string[], input = ''): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await streamGit(place, args, input, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** What git says of an object that another repository has promised, and that it may not bring in by itself. */
const PROMISED = /could not fetch ([0-9a-f]{40,64}) from promisor remote/;

/** What git says, first of many lines, where somebody holds its lock, or ended while they did. */
export const LOCKED = /Unable to create '.*\.lock': File exists/;

const folderOf = (place: GitPlace) => (typeof place === 'string' ? place : place.top);

function notStarted(error: Error): WorkspaceError {
  if ('code' in error && error.code === 'ENOENT') {
    return new WorkspaceError(
      'GIT_MISSING',
      'git could not be started: install git, or correct the folder.',
      {
        cause: error,
      },
    );
  }
  return new WorkspaceError('GIT_FAILED', `git could not be run: ${error.message}`, { cause: error });
}

function failed(args: readonly string[], status: number | string | null, stderr: string): WorkspaceError {
  const [, promised] = PROMISED.exec(stderr) ?? [];
  if (promised !== undefined) {
    const message = `git ${args[0] ?? ''} needs ${promised}, which is not in this repository: it is a partial clone. Bring it in: git show ${promised}`;
    return new WorkspaceError('MISSING_OBJECT', message, { stderr });
  }
  const [lock] = LOCKED.exec(stderr) ?? [];
  const said =
    lock === undefined
      ? stderr.trim().split('\n').slice(-3).join(' ')
      : `${lock}. Where no other git runs there any more, remove that file.`;
  return new WorkspaceError('GIT_FAILED', `git ${args[0] ?? ''} ended with ${status}: ${said}`, {
    stderr,
    ...(typeof status === 'number' ? { exitCode: status } : {}),
  });
}

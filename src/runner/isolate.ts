import { searchPath } from './environment.ts';
import { runProcess } from './process.ts';
import { locateProgram } from './program.ts';

/** How checks are kept from the network. `none`: only localhost inside the run; `host`: nothing could be cut off. */
export interface Isolation {
  readonly network: 'none' | 'host';
  readonly how: 'user-namespace' | 'network-namespace' | 'not-available';
  wrap(argv: readonly string[]): readonly string[];
}

/** Checks run as they are, and the result says so. */
export const noIsolation: Isolation = { network: 'host', how: 'not-available', wrap: (argv) => argv };

let probed: Promise<Isolation> | undefined;

/** The strongest isolation that works here, tried out once per process with a real program. */
export function probeIsolation(): Promise<Isolation> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<Isolation> {
  for (const candidate of candidates()) {
    const { exitCode } = await runProcess({
      argv: ['sh', '-c', 'exit 42'],
      cwd: '/',
      env: { PATH: searchPath },
      timeoutMs: 10_000,
      maxOutput: 10_000,
      signal: undefined,
      wrap: candidate.wrap,
    });
    if (exitCode === 42) return candidate;
  }
  return noIsolation;
}

function candidates(): readonly Isolation[] {
  const [unshare, ip, sh] = ['unshare', 'ip', 'sh'].map((name) => locateProgram(name, searchPath, '/'));
  if (unshare === undefined || ip === undefined || sh === undefined) return [];
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  // Exit code 125 when localhost cannot be brought up; `exec` keeps the process id, the exit code and the signals.
  const script = '"$0" link set lo up || exit 125; unset PWD OLDPWD; exec "$@"';
  const inside = (options: readonly string[], again: readonly string[]) => (argv: readonly string[]) => [
    unshare,
    ...options,
    '--',
    sh,
    '-c',
    script,
    ip,
    ...again,
    ...argv,
  ];
  // The second user namespace gives the program its own user back, and takes the powers over the first away.
  const same = uid === 0 ? [] : [unshare, '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
  const user: Isolation = {
    network: 'none',
    how: 'user-namespace',
    wrap: inside(['--user', '--map-root-user', '--net'], same),
  };
  const plain: Isolation = { network: 'none', how: 'network-namespace', wrap: inside(['--net'], []) };
  return [user, plain];
}

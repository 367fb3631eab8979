import { singleQuoted } from '../kernel/single-quoted.ts';
import { searchPath } from './environment.ts';
import { coveringOf, coveringScript, type Spot, type View } from './isolate-disk.ts';
import { locateProgram } from './program.ts';

/** Puts in front of a program what keeps it apart. */
export type Wrap = (argv: readonly string[], spot: Spot) => readonly string[];

/** Spaces of the kernel that a program can be given, and the tools that make them. */
export interface Spaces {
  /** By which power they are made: that of a user namespace, or that of the machine's own root. */
  readonly power: 'user-namespace' | 'root';
  /** The program that brings localhost up; undefined where the network stays that of the machine. */
  readonly network: string | undefined;
  /** Processes of its own: the kernel ends them all when the first one ends. */
  readonly processes: boolean;
  /** A /proc that shows these processes and no others. */
  readonly proc: boolean;
  readonly tools: Readonly<Record<'unshare' | 'sh' | 'mount' | 'rm', string>>;
}

/** What may work here, the strongest first. */
export function spacesToTry(): readonly Spaces[] {
  const [unshare, sh, ip, mount = '', rm = ''] = ['unshare', 'sh', 'ip', 'mount', 'rm'].map((name) =>
    locateProgram(name, searchPath, '/'),
  );
  if (unshare === undefined || sh === undefined) return [];
  const each = (
    power: Spaces['power'],
    network: boolean,
    processes: boolean,
    proc: boolean,
  ): readonly Spaces[] =>
    (network && ip === undefined) || (power === 'root' && process.getuid?.() !== 0)
      ? []
      : [{ power, network: network ? ip : undefined, processes, proc, tools: { unshare, sh, mount, rm } }];
  return [
    ...each('user-namespace', true, true, true),
    ...each('user-namespace', true, true, false),
    ...each('root', true, true, true),
    ...each('root', true, true, false),
    ...each('user-namespace', true, false, false),
    ...each('root', true, false, false),
    ...each('user-namespace', false, true, true),
    ...each('user-namespace', false, true, false),
    ...each('root', false, true, true),
    ...each('root', false, true, false),
  ];
}

// The first process of a space is immune to signals and inherits orphans: a shell is that, and the program its child,
// whose exit code it hands on. What shells print about a child's death is not the program's output.
const first = 'unset PWD OLDPWD; exec 9>&2 2>/dev/null; (exec 2>&9 9>&-; exec "$@"); exit $?';

/**
 * Runs programs in these spaces and, where a view is given, with that view of the disk. Exit code 126 when they cannot
 * be made, which is nobody's fault. A program with processes of its own that a signal ends answers 128 and its number.
 */
export function wrapIn(spaces: Spaces, view?: View): Wrap {
  const { network, processes, tools } = spaces;
  return (argv, spot) => {
    const script = [
      ...(network === undefined ? [] : [`${singleQuoted(network)} link set lo up || exit 126`]),
      ...(view === undefined ? [] : coveringScript(coveringOf(view, argv, spot), spot.cwd, tools)),
      'unset PWD OLDPWD',
      'exec "$@"',
    ].join('\n');
    const parent = processes ? [tools.sh, '-c', first, 'sh'] : [];
    // The words of what makes the spaces are gone from the list of processes when the program starts.
    return [
      tools.unshare,
      ...optionsOf(spaces, view),
      '--',
      tools.sh,
      '-c',
      script,
      'sh',
      ...givenBack(spaces),
      ...parent,
      ...argv,
    ];
  };
}

function optionsOf({ power, network, processes, proc }: Spaces, view: View | undefined): readonly string[] {
  return [
    ...(power === 'user-namespace' ? ['--user', '--map-root-user'] : []),
    ...(network === undefined ? [] : ['--net']),
    ...(processes ? ['--pid', '--fork', '--kill-child'] : []),
    ...(proc ? ['--mount-proc'] : view === undefined ? [] : ['--mount']),
  ];
}

/**
 * A second user namespace gives the program its own user back, and takes the powers over the first away: root too could
 * take the covers off otherwise.
 */
function givenBack({ power, tools }: Spaces): readonly string[] {
  if (power === 'root') return [];
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const same = uid === 0 ? ['--map-root-user'] : [`--map-user=${uid}`, `--map-group=${gid}`];
  return [tools.unshare, '--user', ...same, '--'];
}

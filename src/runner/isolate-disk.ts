import { readdirSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { singleQuoted } from '../kernel/single-quoted.ts';

/** Where a program starts and with what: what these name of a covered folder stays to be seen. */
export interface Spot {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * How much of the disk a program sees beside the system's folders. `project`: what its words, its working folder and
 * its environment name; /opt, /var and /run stay, where tools and services lie. `own`: its working folder, its home,
 * its folder for temporary files, and the folders of its PATH.
 */
export type View = 'project' | 'own';

/** Folders to lay something empty over, and those below them to bring back: every `kept` lies below one of `covered`. */
export interface Covering {
  readonly covered: readonly string[];
  readonly kept: readonly string[];
}

// What programs need to start at all. The last three are stores of packages that take the place of /usr.
const system = /^(bin|sbin|lib\w*|usr|etc|proc|sys|dev|nix|gnu|snap)$/;
const services = /^(run|var|opt|boot)$/;

/** What a program at this spot must not see. Reads the disk; never throws. */
export function coveringOf(view: View, argv: readonly string[], spot: Spot): Covering {
  const top = namesIn('/').filter((name) => !system.test(name));
  const folders = top.filter((name) => view === 'own' || !services.test(name)).map((name) => `/${name}`);
  const open = view === 'own' ? [] : ['/var/tmp', '/run/user'];
  const covered = [...folders, ...open, '/dev/shm', ...homes()].filter(isRealFolder);
  const outer = outermost(covered);
  const isBelow = (path: string) => outer.some((cover) => path.startsWith(`${cover}/`));
  const paths =
    view === 'own' ? ownPaths(spot) : namedPaths(argv, spot).map((path) => withBeside(path, covered));
  return { covered: outer, kept: outermost([real(spot.cwd), ...paths].filter(isBelow)) };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The caller's, wherever it lies; one inside of the system is not covered. */
function homes(): readonly string[] {
  const said = process.env.HOME ?? '';
  return [real(said.startsWith('/') ? said : ''), real(homeOfUser())].filter(
    (path) => path.length > 1 && !system.test(path.split('/')[1] ?? '') && path.split('/').length > 2,
  );
}

function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user without a name, as in some containers.
    return '';
  }
}

function ownPaths({ env: { HOME = '', TMPDIR = '', PATH = '' } }: Spot): readonly string[] {
  return [HOME, TMPDIR, ...PATH.split(':')].filter((path) => path.startsWith('/')).map(real);
}

/**
 * The folders of everything that is named anywhere in a program's words and environment, also of what it is yet to make
 * there.
 */
function namedPaths(argv: readonly string[], { env }: Spot): readonly string[] {
  const words = [...argv, ...Object.values(env)];
  const whole = words.flatMap((word) => word.split(':')).filter((word) => word.startsWith('/'));
  const within = words.flatMap((word) => word.match(/(?<![\w.~-])\/[^\s:;,'"`=|&<>()]+/g) ?? []);
  const found = [...whole, ...within].map((path) => real(path) || real(dirname(path)));
  return found.map((path) => (path === '' || isRealFolder(path) ? path : dirname(path)));
}

/**
 * A folder of programs with what they may need beside it, such as `lib`, and a package with all that were installed
 * with it; never with all that is to be covered.
 */
function withBeside(path: string, covered: readonly string[]): string {
  const [installed] = /^.*?\/node_modules(?=\/|$)/.exec(path) ?? [];
  if (installed !== undefined) return installed;
  const beside = dirname(path);
  return basename(path) === 'bin' && !covered.includes(beside) ? beside : path;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}

const isRealFolder = (path: string) => real(path) === path && (statSync(path, quiet)?.isDirectory() ?? false);
const quiet = { throwIfNoEntry: false } as const;

const outermost = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));

const forAll = new Set(['/tmp', '/var/tmp', '/dev/shm']);
const options = (cover: string) => `mode=${forAll.has(cover) ? '1777' : '755'}`;
// Beside the standard ones; a plain shell knows descriptors of one digit, and 9 is taken.
const descriptors = [3, 4, 5, 6, 7, 8];

/**
 * Lines of a shell script that lays a covering and then works in `cwd`. A descriptor that was opened before leads below
 * a covered folder afterwards. All but the first are mounted by one call: each call of `mount` takes milliseconds.
 */
export function coveringScript(
  { covered, kept }: Covering,
  cwd: string,
  tools: { readonly mount: string; readonly rm: string },
): readonly string[] {
  const [stage, ...others] = [...covered].sort((a, b) => Number(forAll.has(b)) - Number(forAll.has(a)));
  if (stage === undefined) return [];
  const opened = covered.filter((cover) => kept.some((path) => path.startsWith(`${cover}/`)));
  const through = opened.slice(0, descriptors.length).map((cover, n) => ({ cover, at: descriptors[n] ?? 3 }));
  const [mount, rm, table] = [tools.mount, tools.rm, join(stage, 't')].map(singleQuoted);
  const lines = [
    ...others.map((cover) => `tmpfs ${escaped(cover)} tmpfs ${options(cover)} 0 0`),
    ...through.flatMap(({ cover, at }) =>
      kept
        .filter((path) => path.startsWith(`${cover}/`))
        .map((path) => {
          const from = `/proc/self/fd/${at}${path.slice(cover.length)}`;
          return `${escaped(from)} ${escaped(path)} none rbind,X-mount.mkdir 0 0`;
        }),
    ),
  ];
  return [
    ...through.map(({ cover, at }) => `exec ${at}<${singleQuoted(cover)} || exit 126`),
    `${mount} -t tmpfs -o ${options(stage)} tmpfs ${singleQuoted(stage)} || exit 126`,
    `printf '%s\\n' ${lines.map(singleQuoted).join(' ')} >${table} || exit 126`,
    `${mount} -c -a -T ${table} || exit 126`,
    `${rm} ${table}`,
    ...through.map(({ at }) => `exec ${at}<&-`),
    // The working folder that was inherited still lies below the covers, and all around it could be reached from there.
    `cd ${singleQuoted(cwd)} || exit 126`,
  ];
}

/** One field of a table of mounts. */
const escaped = (path: string) =>
  path.replace(/[\s\\#]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, '0')}`);

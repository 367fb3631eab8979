import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a program ended. `code` is -1 where it was killed. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end; never rejects for what it did. */
export function ended(
  file: string,
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  timeout = 180_000,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      [...words],
      { cwd, env, timeout, maxBuffer: 2 ** 27, encoding: 'utf8' },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, out, err });
      },
    );
    child.stdin?.end();
  });
}

/** A folder for everything: packages lie above the repositories, as they do after an installation. */
export interface Workshop {
  readonly root: string;
  readonly modules: string;
  /** The start file of the product. */
  readonly bin: string;
  /** A copy of an initialised repository with its actors, for one story. */
  desk(): Desk;
  /** The same with another start file of the product. */
  with(bin: string): Workshop;
  remove(): void;
}

/** One repository with a state folder of its own. */
export interface Desk {
  readonly root: string;
  readonly top: string;
  readonly modules: string;
  readonly env: NodeJS.ProcessEnv;
  git(...words: readonly string[]): Promise<string>;
  /** `as` '' is the person of the machine. */
  cli(as: string, ...words: readonly string[]): Promise<Ended>;
  remove(): void;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Who works in every repository. */
const ACTORS = {
  builder: 'specialist',
  checker: 'verification-agent',
  orchestrator: 'workflow-orchestrator',
};

export async function openWorkshop(bin: string, modules: string): Promise<Workshop> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fcb-')));
  symlinkSync(modules, join(root, 'node_modules'));
  const first = deskIn(join(root, 'first'), root, bin, modules);
  mkdirSync(first.top, { recursive: true });
  await first.git('init', '-q', '-b', 'main');
  await first.git('commit', '-q', '--allow-empty', '-m', 'first');
  const told = async (...words: readonly string[]) => {
    const { code, out, err } = await first.cli('', ...words);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${out}${err}`);
  };
  await told('init', '--owner', 'ada');
  for (const [name, role] of Object.entries(ACTORS)) {
    await told('actor', 'add', name, '--role', role);
    await told('token', 'issue', name);
  }
  let count = 0;
  const workshop = (start: string): Workshop => ({
    root,
    modules,
    bin: start,
    desk() {
      count += 1;
      const folder = join(root, `t${count}`);
      cpSync(first.root, folder, { recursive: true });
      return deskIn(folder, root, start, modules);
    },
    with: workshop,
    remove: () => rmSync(root, { recursive: true, force: true }),
  });
  return workshop(bin);
}

function deskIn(root: string, workshop: string, bin: string, modules: string): Desk {
  const top = join(root, 'repo');
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    TMPDIR: workshop,
    XDG_STATE_HOME: join(root, 'state'),
    ...IDENTITY,
  };
  return {
    root,
    top,
    modules,
    env,
    async git(...words) {
      const { code, out, err } = await ended('git', words, top, env);
      if (code !== 0) throw new Error(`git ${words.join(' ')} ended with ${code}: ${err}`);
      return out.trim();
    },
    cli: (as, ...words) =>
      ended(process.execPath, [bin, ...(as === '' ? [] : ['--actor', as]), '--json', ...words], top, env),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

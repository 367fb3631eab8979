import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, endAll, ended } from './ended.ts';

/** A folder for everything: packages lie above the repositories, as they do after an installation. */
export interface Workshop {
  readonly root: string;
  readonly modules: string;
  /** The start file of the product. */
  readonly bin: string;
  /** A copy of an initialised repository with its actors, for one story; or of another one. */
  desk(of?: Desk): Desk;
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

/** Rejects when the product could not be set up. Whoever interrupts this process ends all that runs in the workshop. */
export async function openWorkshop(bin: string, modules: string): Promise<Workshop> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fcb-')));
  const leave = leaving(root);
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
    desk(of = first) {
      count += 1;
      const folder = join(root, `t${count}`);
      cpSync(of.root, folder, { recursive: true });
      return deskIn(folder, root, start, modules);
    },
    with: workshop,
    remove: leave,
  });
  return workshop(bin);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes the folder; until then an interruption does so as well. */
function leaving(root: string): () => void {
  const remove = () => rmSync(root, { recursive: true, force: true });
  const interrupted = (signal: NodeJS.Signals) => {
    void endAll().finally(() => {
      leave();
      process.kill(process.pid, signal);
    });
  };
  const leave = () => {
    for (const signal of SIGNALS) process.removeListener(signal, interrupted);
    remove();
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  return leave;
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

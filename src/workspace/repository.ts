import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runGit } from './git.ts';
import { plainFile } from './plain-file.ts';
import { WorkspaceError } from './workspace-error.ts';

// One call of the system; Node's own walk along the path takes a start a millisecond.
const realpathOf = (path: string): string => realpathSync.native(path);

/** Where a repository lives: the top of the working tree, its own git folder, and the one all worktrees share. */
export interface Repository {
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/**
 * Finds the repository around `cwd` by reading files only; git is asked just when its own variables redirect it.
 * Paths are absolute with links resolved. Throws WorkspaceError NOT_A_REPOSITORY or BARE.
 */
export function locateRepository(cwd: string, env: NodeJS.ProcessEnv = process.env): Repository {
  if (env.GIT_DIR || env.GIT_COMMON_DIR) return askGit(cwd, env);
  for (let folder = existing(cwd); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(folder);
    if (gitDir !== undefined) return opened(folder, gitDir);
    if (looksLikeGitDir(folder)) throw bare(folder);
    if (dirname(folder) === folder) throw notFound(cwd);
  }
}

function existing(cwd: string): string {
  try {
    return realpathOf(cwd);
  } catch (cause) {
    throw new WorkspaceError('NOT_A_REPOSITORY', `The folder ${cwd} cannot be read.`, { cause });
  }
}

function gitDirOf(folder: string): string | undefined {
  const dotGit = join(folder, '.git');
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return looksLikeGitDir(dotGit) ? realpathOf(dotGit) : undefined;
  const pointer = /^gitdir: (.+?)\r?\n?$/s.exec(plainFile(dotGit))?.[1];
  const target = pointer === undefined ? undefined : resolve(folder, pointer);
  if (target === undefined || !existsSync(join(target, 'HEAD'))) {
    throw new WorkspaceError(
      'NOT_A_REPOSITORY',
      `${dotGit} points at no repository. Repair it with: git worktree repair`,
    );
  }
  return realpathOf(target);
}

function opened(top: string, gitDir: string): Repository {
  const pointer = join(gitDir, 'commondir');
  const commonDir = existsSync(pointer) ? realpathOf(resolve(gitDir, plainFile(pointer).trim())) : gitDir;
  // A linked worktree of a bare repository has a working tree of its own; only the main one can be bare.
  if (gitDir === commonDir && saysBare(join(commonDir, 'config'))) throw bare(gitDir);
  return { top, gitDir, commonDir };
}

/** A folder that git itself would take for a repository: HEAD, objects and refs. */
function looksLikeGitDir(folder: string): boolean {
  return (
    existsSync(join(folder, 'HEAD')) &&
    (existsSync(join(folder, 'commondir')) ||
      (existsSync(join(folder, 'objects')) && existsSync(join(folder, 'refs'))))
  );
}

function saysBare(config: string): boolean {
  if (!existsSync(config)) return false;
  let section = '';
  let isBare = false;
  for (const line of plainFile(config).split('\n')) {
    section = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim().toLowerCase() ?? section;
    const value = /^\s*(?:\[[^\]]+\])?\s*bare\s*(?:=\s*(\S*))?\s*$/i.exec(line);
    if (section === 'core' && value !== null) isBare = /^(true|yes|on|1)$/i.test(value[1] ?? 'true');
  }
  return isBare;
}

function askGit(cwd: string, env: NodeJS.ProcessEnv): Repository {
  const own = Object.fromEntries(
    ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE'].flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const args = [
    'rev-parse',
    '--is-bare-repository',
    '--absolute-git-dir',
    '--git-common-dir',
    '--show-toplevel',
  ];
  try {
    const [isBare, gitDir, commonDir, top] = runGit(cwd, args, { env: own }).toString('utf8').split('\n');
    if (isBare === 'true' || !gitDir || !commonDir || !top) throw bare(gitDir ?? cwd);
    return {
      top: realpathOf(top),
      gitDir: realpathOf(gitDir),
      commonDir: realpathOf(resolve(cwd, commonDir)),
    };
  } catch (cause) {
    if (!(cause instanceof WorkspaceError) || cause.code !== 'GIT_FAILED') throw cause;
    if (/work tree/.test(cause.stderr)) throw bare(cwd);
    throw notFound(cwd, cause);
  }
}

const notFound = (cwd: string, cause?: unknown) =>
  new WorkspaceError('NOT_A_REPOSITORY', `${cwd} is not inside a git repository. Run: git init`, { cause });

const bare = (gitDir: string) =>
  new WorkspaceError(
    'BARE',
    `${gitDir} has no working tree here. Add one with: git worktree add <folder>, and work in that folder`,
  );

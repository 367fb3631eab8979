import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { runGit } from './git.ts';
import { WorkspaceError } from './workspace-error.ts';

/** A hook of a repository, as it lies there. */
export interface HookFile {
  readonly path: string;
  /** '' where there is none. */
  readonly text: string;
  readonly executable: boolean;
}

/** The hook that git runs for a repository by its own settings, before those of the machine or user. */
export function hookFile(gitDir: string, name: string): HookFile {
  const path = join(hooksFolder(gitDir), name);
  const stat = existsSync(path) ? lstatSync(path) : undefined;
  if (stat?.isFile() !== true) return { path, text: '', executable: false };
  return { path, text: readFileSync(path, 'utf8'), executable: (stat.mode & 0o111) !== 0 };
}

/** Whether others than the owner may write a file or folder. */
export function openToOthers(path: string): boolean {
  return existsSync(path) && (lstatSync(path).mode & 0o022) !== 0;
}

function hooksFolder(gitDir: string): string {
  const named = ownSetting(gitDir, 'core.hooksPath');
  if (named === '') return join(gitDir, 'hooks');
  return isAbsolute(named) ? named : join(gitDir, named);
}

/** Whether a file is this user's or the machine's: what others wrote is not started. */
export function isOurs(path: string): boolean {
  const owner = lstatSync(path).uid;
  return owner === 0 || owner === process.getuid?.();
}

/** A setting in the repository's own file, '' where it has none. */
export function ownSetting(gitDir: string, name: string): string {
  const output = runGit(gitDir, ['config', '--local', '--default', '', '--get', name], {
    env: { GIT_DIR: gitDir },
  });
  return output.toString('utf8').replace(/\n$/, '');
}

/** Writes a setting into the repository's own file. */
export function writeSetting(gitDir: string, name: string, value: string): void {
  runGit(gitDir, ['config', '--local', name, value], { env: { GIT_DIR: gitDir } });
}

/** The folders in which git and the tools of a shell script are found, for a hook that takes no PATH from anybody. */
export function toolFolders(path: string): string {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  const git = folders.find((folder) => existsSync(join(folder, 'git')));
  if (git === undefined)
    throw new WorkspaceError('GIT_MISSING', 'git is in no folder of PATH: install git, or correct PATH.');
  return [...new Set([git, '/usr/bin', '/bin'])].join(delimiter);
}

/** Starts a hook as git does, with what it would be told on standard input. */
export function tryHook(
  gitDir: string,
  path: string,
  input: string,
): { readonly code: number; readonly said: string } {
  const { status, stdout, stderr, error } = spawnSync(path, [], {
    cwd: gitDir,
    input,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH, GIT_DIR: '.' },
  });
  if (error !== undefined) return { code: -1, said: `${dirname(path)}: ${error.message}` };
  return { code: status ?? -1, said: stdout + stderr };
}

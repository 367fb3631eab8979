import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Where pushes go. */
export interface Remote {
  readonly name: string;
  readonly url: string;
  /** The folder of a remote on this machine, '' for one behind a network. */
  readonly folder: string;
}

/** The remote that is pushed to: `origin`, else the first one; undefined where there is none. */
export function pushRemote(repo: Repository): Remote | undefined {
  const names = runGit(repo, ['remote']).toString('utf8').split('\n').filter(Boolean);
  const name = names.includes('origin') ? 'origin' : names[0];
  if (name === undefined) return undefined;
  const url = runGit(repo, ['remote', 'get-url', '--push', name]).toString('utf8').trim();
  return { name, url: withoutSecrets(url), folder: folderOf(repo, url) };
}

function folderOf({ top }: Repository, url: string): string {
  if (url.startsWith('file://')) return pathOf(url);
  // Git reads HOST:PATH as ssh unless a slash stands before the colon.
  const isPath = isAbsolute(url) || /^[^:]*(\/|$)/.test(url);
  const folder = isPath && !/^[a-z+]+:\/\//i.test(url) ? resolve(top, url) : '';
  return folder !== '' && existsSync(folder) ? folder : '';
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url.includes('%') ? url : encodeURI(url));
  } catch {
    return '';
  }
}

/** Without the name and password that a URL may carry. */
const withoutSecrets = (url: string) => url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');

import { type GitPlace, runGit } from './git.ts';

/**
 * What makes git merge texts by itself: a program that somebody's configuration names for it could write into a merge, or into a
 * landing, what nobody built or approved.
 */
export function mergedByGit(place: GitPlace): Readonly<Record<string, string>> {
  const named = runGit(place, ['config', '-z', '--name-only', '--get-regexp', '^merge\\..*\\.driver$'], {
    accepts: 1,
  });
  const keys = [...new Set(named.toString('utf8').split('\0'))].filter((key) => key !== '');
  const own = [['merge.default', 'text'], ...keys.map((key) => [key, PLAIN] as const)];
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', `${own.length}`],
    ...own.flatMap(([key = '', value = ''], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value],
    ]),
  ]);
}

const PLAIN = 'git merge-file --marker-size=%L %A %O %B';

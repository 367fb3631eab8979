import { type GitPlace, runGit } from './git.ts';

/**
 * What makes git merge texts by itself: a program that somebody's configuration names for it, be it for merging or for what files are
 * like in a commit, could write into a merge, or into a landing, what nobody built or approved. Nor is a new file put elsewhere than
 * it was built.
 */
export function mergedByGit(place: GitPlace): Readonly<Record<string, string>> {
  const named = runGit(place, ['config', '-z', '--name-only', '--get-regexp', '^merge\\..*\\.driver$'], {
    accepts: 1,
  });
  const keys = [...new Set(named.toString('utf8').split('\0'))].filter((key) => key !== '');
  const own = [...OWN, ...keys.map((key) => [key, PLAIN] as const)];
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', `${own.length}`],
    ...own.flatMap(([key = '', value = ''], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value],
    ]),
  ]);
}

const OWN = [
  ['merge.default', 'text'],
  ['merge.renormalize', 'false'],
  ['merge.directoryRenames', 'false'],
] as const;
const PLAIN = 'git merge-file --marker-size=%L %A %O %B';

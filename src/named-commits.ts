import { runGit } from './workspace/git.ts';

/** Options whose value names a commit. */
const OF_COMMITS: readonly string[] = ['--commit', '--from'];

/**
 * A line with the ids of the commits that it names in this clone, for a server in another one: `HEAD~1` and `work` are
 * something else there. A name that is not known here stays as it is, for it may be known there.
 */
export function withCommitIds(words: readonly string[], cwd: string): readonly string[] {
  return words.map((word, at) => {
    const option = OF_COMMITS.find((one) => word.startsWith(`${one}=`));
    if (option !== undefined) return `${option}=${commitIdOf(word.slice(option.length + 1), cwd)}`;
    return OF_COMMITS.includes(words[at - 1] ?? '') ? commitIdOf(word, cwd) : word;
  });
}

/** The id of a commit that is named in a clone; the name where it is HEAD, or not known there. */
export function commitIdOf(name: string, cwd: string): string {
  if (name === 'HEAD' || !/^[^-\s][^\s]*$/.test(name)) return name;
  try {
    return runGit(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
      .toString('utf8')
      .trim();
  } catch {
    return name;
  }
}

import { runGit } from './workspace/git.ts';

/** Options whose value names a commit. */
const OF_COMMITS: readonly string[] = ['--commit', '--from'];

/**
 * A line with the ids of the commits that it names in this clone, for a server in another one: `HEAD~1` and `work` are
 * something else there. A name that is not known here stays as it is, for it may be known there.
 */
export const withCommitIds = (words: readonly string[], cwd: string): readonly string[] =>
  words.map((word, at) => {
    const found = namedAt(words, at);
    return found === undefined ? word : `${found.option}${commitIdOf(found.name, cwd)}`;
  });

/** The commits that a line names, as it names them. */
export const commitsNamed = (words: readonly string[]): readonly string[] =>
  words.flatMap((_, at) => namedAt(words, at)?.name ?? []);

/** What a word names of commits, behind the option where that is in the same word. */
function namedAt(words: readonly string[], at: number) {
  const word = words[at] ?? '';
  const option = OF_COMMITS.find((one) => word.startsWith(`${one}=`));
  if (option !== undefined) return { option: `${option}=`, name: word.slice(option.length + 1) };
  return OF_COMMITS.includes(words[at - 1] ?? '') ? { option: '', name: word } : undefined;
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

import { runGit } from './git.ts';

/** Where git keeps, for each working tree by itself, what is on its way to its files. */
const FOLDER = 'refs/worktree/countersign/';
const refOf = (commit: string): string => `${FOLDER}${commit}`;

/** A commit whose files may lie in a working tree that does not hold it. */
export interface OnItsWay {
  readonly commit: string;
  /** The commit itself while it is brought; another one once it is put back, and its branch is not to move there any more. */
  readonly state: string;
}

/** What is on its way to a working tree, or was when a process ended. */
export const onItsWay = (path: string): readonly OnItsWay[] =>
  runGit(path, ['for-each-ref', '--format=%(refname) %(objectname)', FOLDER])
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [ref = '', state = ''] = line.split(' ');
      const commit = ref.slice(FOLDER.length);
      // Any other name there is somebody's own.
      return /^[0-9a-f]{40,64}$/.test(commit) ? [{ commit, state }] : [];
    });

/** Notes it down before anything of it is written; from a state that was seen, where one is given. Throws GIT_FAILED. */
export const noteDown = (path: string, { commit, state }: OnItsWay, seen: readonly string[] = []): void =>
  void runGit(path, ['update-ref', refOf(commit), state, ...seen]);

/** Nothing of it lies there any more. */
export const strike = (path: string, commit: string): void =>
  void runGit(path, ['update-ref', '-d', refOf(commit)]);

/** Moves the branch, and strikes the note in the same step: nobody has begun to put the files back. Throws GIT_FAILED. */
export const arrive = (path: string, before: string, commit: string, reason: string): void =>
  void runGit(path, ['update-ref', '-m', reason, '--stdin'], {
    input: `update HEAD ${commit} ${before}\ndelete ${refOf(commit)} ${commit}\n`,
  });

import { EngineError } from './engine/engine-error.ts';
import type { GitPort } from './engine/ports.ts';

/** HEAD, and what is named from there, such as `HEAD~1`. */
const FROM_HEAD = /^HEAD(?=$|[~^])/;
const ID = /^[0-9a-f]{40}([0-9a-f]{24})?(?=$|[~^])/;

/** HEAD is the client's, whose working tree is elsewhere. `missed` is the remote that could not be looked in, '' for none. */
export function headOf(git: GitPort, head: string, missed: () => string = () => ''): GitPort {
  const named = (name: string) => name.replace(FROM_HEAD, head);
  return {
    ...git,
    resolveClaim(question) {
      const commit = named(question.commit);
      try {
        return git.resolveClaim({ ...question, commit });
      } catch (cause) {
        if ((cause as { code?: string }).code !== 'UNKNOWN_COMMIT') throw cause;
        const lacks = `the server does not have ${commit.slice(0, 40)}, or what it is measured against`;
        const away = missed() === '' ? '' : `; it could not look in ${missed()}`;
        throw new EngineError('NOT_FOUND', `${lacks}${away}`, wayHere(commit, head, missed()), { cause });
      }
    },
    namedCommit(name) {
      const found = git.namedCommit(named(name));
      return found.why === 'missing' ? { ...found, fix: wayHere(named(name), head, missed()) } : found;
    },
    heads: (branch, ahead) => ({ ...git.heads(branch, ahead), head }),
    // What lies about in the server's own tree is none of theirs.
    isDirty: async () => false,
  };
}

/** How a commit that the server lacks comes to it. */
function wayHere(commit: string, head: string, missed: string): string {
  if (missed !== '')
    return `once the server reaches ${missed}, run it again (its log says what stood in the way)`;
  const [id] = ID.exec(commit) ?? [];
  if (id === undefined) return 'name a commit of this clone that was pushed to where the server looks';
  const what = id === head ? 'HEAD' : `${id}:refs/heads/BRANCH`;
  return `bring it to where the server looks: git push origin ${what}`;
}

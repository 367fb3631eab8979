import { EngineError } from './engine/engine-error.ts';
import type { GitPort } from './engine/ports.ts';

/** HEAD, and what is named from there, such as `HEAD~1`. */
const FROM_HEAD = /^HEAD(?=$|[~^])/;

/** HEAD is the client's, whose working tree is elsewhere. */
export function headOf(git: GitPort, head: string): GitPort {
  const named = (name: string) => name.replace(FROM_HEAD, head);
  return {
    ...git,
    resolveClaim(question) {
      const commit = named(question.commit);
      try {
        return git.resolveClaim({ ...question, commit });
      } catch (cause) {
        if ((cause as { code?: string }).code !== 'UNKNOWN_COMMIT') throw cause;
        const message = `the server does not have ${commit.slice(0, 40)}, or what it is measured against`;
        throw new EngineError(
          'NOT_FOUND',
          message,
          'bring it to where the server looks: git push origin HEAD',
          {
            cause,
          },
        );
      }
    },
    namedCommit: (name) => git.namedCommit(named(name)),
    heads: (branch, ahead) => ({ ...git.heads(branch, ahead), head }),
  };
}

import { NOTHING_GATHERED } from '../kernel/command.ts';
import { baseAtStart, criteriaCommit, defaultBranchOf } from './base.ts';
import type { Caller } from './caller.ts';
import { readConfig } from './config.ts';
import { criteriaPath } from './criteria.ts';
import { readCriteria } from './criteria-read.ts';
import { execute, type Outcome, plain } from './execute.ts';
import type { Ports } from './ports.ts';

/** The assigned specialist begins: the engine records the commit that the work is compared with. */
export async function start(
  ports: Ports,
  caller: Caller,
  ref: string,
): Promise<Outcome & { readonly warnings: readonly string[] }> {
  const config = await readConfig(ports);
  const warnings: string[] = [];
  const outcome = await execute(ports, caller, {
    ...plain,
    ref,
    name: 'start',
    gather: async (handle) => {
      const defaultBranch = defaultBranchOf(handle, config);
      const work = ports.git.resolveClaim({ commit: 'HEAD', base: '', defaultBranch });
      const { branch: base, compared } = await baseAtStart(ports, handle, work);
      const path = criteriaPath(String(handle.item.facts.criteria ?? 'default'));
      const text = ports.git.readAt(criteriaCommit(ports, handle, base), path);
      if (text !== undefined) {
        const { problems } = await readCriteria(ports, text, path);
        if (problems.length > 0)
          warnings.push(
            `${path} cannot be used: ${problems.slice(0, 5).join('; ')}; mend and commit them, or a person runs: countersign criteria adopt`,
          );
      } else {
        warnings.push(
          `there are no criteria at ${path} on the base commit: nothing can be verified until a person adopts some`,
        );
      }
      const stacked = compared === base ? {} : { verified_base: compared };
      const facts = { base, ...stacked, head: work.commit, branch: work.defaultBranch };
      return { ...NOTHING_GATHERED, facts };
    },
  });
  return { ...outcome, warnings };
}

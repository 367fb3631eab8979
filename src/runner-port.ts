import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunnerPort, RunQuestion } from './engine/ports.ts';
import { checkoutCommit } from './workspace/checkout.ts';
import { runGit } from './workspace/git.ts';
import type { Repository } from './workspace/repository.ts';

/** The verification runner on this machine. Its code is loaded when something is verified, not at every start. */
export function runner(repo: Repository, state: string, clock: () => Date, version: string): RunnerPort {
  return {
    version,
    async criteria(bytes, path) {
      const { parseCriteria } = await import('./runner/criteria.ts');
      try {
        const { evidence, requiresQualityValidation, checks } = await parseCriteria(bytes, path);
        const named = checks.map(({ id, kind }) => ({ id, kind }));
        return { problems: [], evidence, requiresQuality: requiresQualityValidation, checks: named };
      } catch (error) {
        const { code, problems, message } = error as {
          code?: string;
          problems?: readonly string[];
          message: string;
        };
        if (code !== 'BAD_CRITERIA') throw error;
        return { problems: problems ?? [message], evidence: [], requiresQuality: false, checks: [] };
      }
    },
    async matches(path, pattern) {
      const { matchesGlob } = await import('./runner/glob.ts');
      return matchesGlob(path, pattern);
    },
    run: (question) => run(repo, state, clock, version, question),
  };
}

async function run(
  repo: Repository,
  state: string,
  clock: () => Date,
  version: string,
  question: RunQuestion,
) {
  const [{ parseCriteria }, { runVerification }] = await Promise.all([
    import('./runner/criteria.ts'),
    import('./runner/run.ts'),
  ]);
  const git = runGit(repo, ['--version']).toString('utf8').trim();
  const result = await runVerification({
    checkout: (folder) => checkoutCommit(repo, question.commit, folder),
    criteria: await parseCriteria(question.criteria, question.criteriaPath),
    kind: question.kind,
    // A short path: programs under test put sockets below it.
    workRoot: tmpdir(),
    cacheRoot: join(state, 'cache'),
    nonce: question.nonce,
    onProgress: ({ phase, check, done, total }) => {
      const what = phase === 'check' ? `check ${done + 1} of ${total}: ${check}` : phase;
      question.onProgress(what);
    },
    clock,
    signal: question.signal,
    facts: { countersign: version, git },
  });
  if (result.tree.start === question.tree || result.verdict === 'indeterminate') return result;
  const cause = `the checkout holds the tree ${result.tree.start}, the claim names ${question.tree}`;
  return { ...result, verdict: 'indeterminate' as const, cause };
}

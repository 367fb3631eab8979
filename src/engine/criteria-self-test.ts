import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Criteria } from '../runner/criteria.ts';
import type { Bench, SelfTested } from '../runner/self-test/self-test.ts';
import type { Places } from './composition.ts';
import { criteriaPath } from './criteria.ts';
import { commitNamed, criteriaFile } from './criteria-files.ts';
import { ownerRemarks, reviewerProblems } from './criteria-read.ts';
import { EngineError } from './engine-error.ts';
import type { Ports } from './ports.ts';

/** Which criteria are put to the test, and on which commit. */
export interface SelfTestRequest {
  readonly name: string;
  /** Commit to read the criteria from and to try them on. '' = the file of the working tree, else that of the default branch, tried on HEAD. */
  readonly commit: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** What the self-test came to. */
export interface SelfTestReport {
  readonly path: string;
  /** Where the text of the criteria came from: a commit, or '' for the working tree. */
  readonly from: string;
  readonly commit: string;
  readonly checks: readonly SelfTested[];
  /** True when every check passes on the commit, where that can be told, and was seen to turn bad work down. */
  readonly sound: boolean;
  /** What is no fault and yet worth knowing: what the checks let pass, and owners who are no actors here. */
  readonly remarks: readonly string[];
}

/**
 * Tries criteria on a commit as it is and on throw-away copies that are known to be bad. Nothing of it is recorded and
 * no item is touched. Throws NOT_FOUND, and BAD_CRITERIA for a file that cannot be read.
 */
export async function selfTestCriteria(
  ports: Ports,
  places: Places,
  request: SelfTestRequest,
): Promise<SelfTestReport> {
  const [{ parseCriteria }, { selfTest }, { weakPointsOf }, { RunnerError }] = await Promise.all([
    import('../runner/criteria.ts'),
    import('../runner/self-test/self-test.ts'),
    import('../runner/weak-criteria.ts'),
    import('../runner/runner-error.ts'),
  ]);
  const commit = request.commit === '' ? ports.git.heads('').head : await commitNamed(ports, request.commit);
  const { bytes, path, from } = await textOf(ports, places, request);
  const criteria = await parseCriteria(bytes, path);
  if (commit === '')
    throw new EngineError('NOT_FOUND', 'this repository has no commit yet', 'commit something first');
  const wrong = reviewerProblems(criteria.checks);
  if (wrong.length > 0) throw new RunnerError('BAD_CRITERIA', `${path} is no valid criteria file:`, wrong);
  const checks = await selfTest(criteria, await benchFor(ports, places, commit, request));
  const sound = checks.every(
    ({ onHead, canFail }) => canFail === 'yes' && (onHead === 'pass' || onHead === 'not-run'),
  );
  const owned = criteria.checks.map(({ id }) => ({ id, owner: criteria.owners.get(id) ?? '' }));
  const remarks = [...weakPointsOf(criteria), ...(await ownerRemarks(ports, owned))];
  return { path, from, commit, checks, sound, remarks };
}

async function textOf(ports: Ports, { top }: Places, { name, commit }: SelfTestRequest) {
  const path = criteriaPath(name);
  const working = commit === '' ? ports.files.readWorking(join(top, path)) : undefined;
  if (working !== undefined) return { bytes: working, path, from: '' };
  const from = await commitNamed(ports, commit);
  const { text } = await criteriaFile(ports, name, from);
  return { bytes: Buffer.from(text), path, from };
}

/** Runs on checkouts of the commit, made and thrown away by the runner itself. */
async function benchFor(
  ports: Ports,
  places: Places,
  commit: string,
  { signal, onProgress }: SelfTestRequest,
): Promise<Bench> {
  const [{ runVerification }, { checkoutsOf }, { locateRepository }, { runGit }] = await Promise.all([
    import('../runner/run.ts'),
    import('../workspace/checkout.ts'),
    import('../workspace/repository.ts'),
    import('../workspace/git.ts'),
  ]);
  const repo = locateRepository(places.top);
  const tree = runGit(repo, ['rev-parse', `${commit}^{tree}`])
    .toString('utf8')
    .trim();
  const checkout = checkoutsOf(repo, commit);
  return {
    tree,
    onProgress,
    read: async (path) => ports.git.readAt(commit, path),
    async run(criteria, edit, change) {
      const { checks } = await runVerification({
        async checkout(folder) {
          const out = await checkout(folder);
          await edit(folder);
          return { ...out, tree: await out.treeNow() };
        },
        base: { checkout, change },
        criteria,
        item: { kind: kindOf(criteria), noChange: false },
        statements: [],
        acceptance: undefined,
        acceptanceIndependent: false,
        workRoot: tmpdir(),
        cacheRoot: join(places.state, 'cache'),
        nonce: ports.random(16).toString('hex'),
        signal,
        onProgress: () => {},
        clock: ports.clock,
      });
      return checks;
    },
  };
}

const kindOf = ({ appliesTo }: Criteria): string =>
  appliesTo.includes('code') ? 'code' : (appliesTo[0] ?? 'code');

import { sha256Hex } from '../attestation/digest.ts';
import { readConfig } from './config.ts';
import { criteriaPath } from './criteria.ts';
import { readCriteria, reviewerProblems } from './criteria-read.ts';
import { EngineError } from './engine-error.ts';
import type { CriteriaCheck, Ports } from './ports.ts';

export interface CriteriaFile {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
  readonly text: string;
  readonly problems: readonly string[];
  readonly checks: readonly CriteriaCheck[];
}

const FOLDER = '.countersign/criteria';

/** The commit that a name stands for; '' = the head of the default branch, or HEAD before there is one. */
export async function commitNamed(ports: Ports, name: string): Promise<string> {
  if (name !== '') return ports.git.resolveClaim({ commit: name, base: name, defaultBranch: '' }).commit;
  const { defaultBranch } = await readConfig(ports);
  const { head, defaultHead } = ports.git.heads(defaultBranch);
  return defaultHead || head;
}

/** All criteria at a commit, read and checked. */
export async function criteriaFiles(
  ports: Ports,
  at: string,
): Promise<{ readonly commit: string; readonly files: readonly CriteriaFile[] }> {
  const commit = await commitNamed(ports, at);
  if (commit === '') return { commit, files: [] };
  const names = ports.git
    .listAt(commit, FOLDER)
    .flatMap((path) => /^\.countersign\/criteria\/([^/]+)\.yaml$/.exec(path)?.[1] ?? []);
  const files: CriteriaFile[] = [];
  for (const name of names) files.push(await criteriaFile(ports, name, commit));
  return { commit, files };
}

/** One criteria file at a commit. Throws NOT_FOUND. */
export async function criteriaFile(ports: Ports, name: string, commit: string): Promise<CriteriaFile> {
  const path = criteriaPath(name);
  if (commit === '') {
    const hint = `commit ${path} on the default branch; countersign init proposes one`;
    throw new EngineError('NOT_FOUND', 'this repository has no commit yet', hint);
  }
  const bytes = ports.git.readAt(commit, path);
  if (bytes === undefined) {
    throw new EngineError(
      'NOT_FOUND',
      `there is no ${path} at ${commit.slice(0, 12)}`,
      'see what there is: countersign criteria list',
    );
  }
  const { problems, checks } = await readCriteria(ports, bytes, path);
  return { name, path, digest: sha256Hex(bytes), text: bytes.toString('utf8'), problems, checks };
}

/** The way to the first criteria: what init proposed is committed, or it is asked again for what is gone. */
export function firstCriteria(ports: Pick<Ports, 'files'>): string {
  const path = criteriaPath('default');
  return ports.files.readTree(path) === undefined
    ? `run: countersign criteria init, then commit ${path} on the default branch`
    : `look ${path} over and commit it on the default branch`;
}

/** What is wrong with a text that is to be a criteria file; needs no repository. `owners` stand beside the checks, '' for none. */
export async function criteriaProblems(
  bytes: Uint8Array,
  path: string,
): Promise<{
  readonly problems: readonly string[];
  readonly checks: readonly string[];
  readonly owners: readonly string[];
}> {
  const [{ parseCriteria }, { RunnerError }] = await Promise.all([
    import('../runner/criteria.ts'),
    import('../runner/runner-error.ts'),
  ]);
  try {
    const { checks, owners } = await parseCriteria(bytes, path);
    const ids = checks.map((check) => check.id);
    return {
      problems: reviewerProblems(checks),
      checks: ids,
      owners: ids.map((id) => owners.get(id) ?? ''),
    };
  } catch (error) {
    if (!(error instanceof RunnerError) || error.code !== 'BAD_CRITERIA') throw error;
    return { problems: error.problems, checks: [], owners: [] };
  }
}

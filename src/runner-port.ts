import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signer } from './attestation/key.ts';
import type { ProtectedQuestion, RunnerPort, RunQuestion } from './engine/ports.ts';
import { rememberRead, wasRead } from './runner/known-criteria.ts';
import { runGitAsync } from './workspace/git.ts';
import type { Repository } from './workspace/repository.ts';

/** What the runner of a repository works with. */
export interface RunnerPlace {
  readonly repo: Repository;
  /** Folder of the engine's state: caches lie below it. */
  readonly state: string;
  readonly clock: () => Date;
  readonly version: string;
  readonly labels: readonly string[];
  /** The key that seals results and what is kept between runs. Throws where there is none. */
  readonly signer: () => Signer;
}

/** The verification runner on this machine. Its code is loaded when something is verified, not at every start. */
export function runner(place: RunnerPlace): RunnerPort {
  const known = { cacheRoot: join(place.state, 'cache'), version: place.version };
  return {
    version: place.version,
    labels: place.labels,
    async criteria(bytes, path) {
      const { parseCriteria } = await import('./runner/criteria.ts');
      try {
        const { evidence, requiresQualityValidation, checks, owners, runsOn } = await parseCriteria(
          bytes,
          path,
        );
        const named = checks.map((check) => ({
          id: check.id,
          kind: check.kind,
          owner: owners.get(check.id) ?? '',
          by: check.kind === 'review' ? check.by : [],
          count: check.kind === 'review' ? check.count : 0,
        }));
        rememberRead(known, bytes);
        return { problems: [], evidence, requiresQuality: requiresQualityValidation, runsOn, checks: named };
      } catch (error) {
        const { code, problems, message } = error as {
          code?: string;
          problems?: readonly string[];
          message: string;
        };
        if (code !== 'BAD_CRITERIA') throw error;
        return {
          problems: problems ?? [message],
          evidence: [],
          requiresQuality: false,
          runsOn: [],
          checks: [],
        };
      }
    },
    // Asked at every claim: so small that loading it apart would cost more.
    wasRead: async (bytes) => wasRead(known, bytes),
    async acceptanceProblems(bytes) {
      const { acceptanceProblems } = await import('./runner/artifact/examples.ts');
      return acceptanceProblems(bytes);
    },
    protectedChanges: (question) => protectedChanges(place.repo, question),
    async matches(path, pattern) {
      const { matchesGlob } = await import('./runner/glob.ts');
      return matchesGlob(path, pattern);
    },
    // What it comes to is told of where a run waits for it.
    prepare: () =>
      void import('./runner/isolate.ts').then(({ probeIsolation }) => probeIsolation()).catch(() => {}),
    run: (question) => run(place, question),
  };
}

async function protectedChanges(repo: Repository, question: ProtectedQuestion) {
  const [{ parseCriteria }, { toSign }, { shownLines }, { twoSides }] = await Promise.all([
    import('./runner/criteria.ts'),
    import('./runner/sign-off.ts'),
    import('./runner/shown-lines.ts'),
    import('./workspace/two-sides.ts'),
  ]);
  const change = twoSides(repo, question.base, question.commit);
  const criteria = await parseCriteria(question.criteria, question.criteriaPath);
  const sign = await toSign(criteria, change, { kind: question.kind, noChange: false });
  if (sign === undefined) return { digest: '', paths: [], lines: [] };
  const paths = sign.files.map(({ path }) => path);
  return { digest: sign.digest, paths, lines: await shownLines(change, sign.files) };
}

/** Not every run looks at its base. */
function whenAsked<A, T>(make: () => (asked: A) => T): (asked: A) => T {
  let made: ((asked: A) => T) | undefined;
  return (asked) => {
    made ??= make();
    return made(asked);
  };
}

const machineFacts = async (repo: Repository, version: string) => ({
  countersign: version,
  // Where git does not even say this, the run has told so itself.
  git: await runGitAsync(repo, ['--version']).then(
    (said) => said.toString('utf8').trim(),
    () => '',
  ),
});

async function run({ repo, state, clock, version, signer }: RunnerPlace, question: RunQuestion) {
  const [{ parseCriteria }, { runVerification }, { sealBy }, { checkoutsOf }, { twoSides }] =
    await Promise.all([
      import('./runner/criteria.ts'),
      import('./runner/run.ts'),
      import('./attestation/seal.ts'),
      import('./workspace/checkout.ts'),
      import('./workspace/two-sides.ts'),
    ]);
  const { base, commit, acceptance } = question;
  // Git lists what there is to check out while the criteria are read.
  const checkout = checkoutsOf(repo, commit);
  const facts = machineFacts(repo, version);
  const criteria = await parseCriteria(question.criteria, question.criteriaPath);
  const result = await runVerification({
    checkout,
    base:
      base === ''
        ? undefined
        : { checkout: whenAsked(() => checkoutsOf(repo, base)), change: twoSides(repo, base, commit) },
    criteria,
    item: { kind: question.kind, noChange: question.noChange, whole: question.whole },
    variables: question.variables,
    statements: question.statements,
    acceptance: acceptance === undefined ? undefined : Buffer.from(acceptance),
    acceptanceIndependent: question.acceptanceIndependent,
    // A short path: programs under test put sockets below it.
    workRoot: tmpdir(),
    cacheRoot: join(state, 'cache'),
    nonce: question.nonce,
    seal: sealBy(signer()),
    onProgress: ({ phase, check, done, total, leftMs = 0 }) => {
      const what = phase === 'check' ? `check ${done + 1} of ${total}: ${check}` : phase;
      const left = leftMs >= 1_000 ? `, about ${Math.ceil(leftMs / 1_000)} s left` : '';
      question.onProgress(`${what}${left}`);
    },
    clock,
    signal: question.signal,
    facts,
  });
  // The runner knows no items: it leaves their place open in a command that it proposes.
  const named = (text: string) => text.replaceAll('sign-off ITEM', `sign-off ${question.item}`);
  const checks = result.checks.map((check) => ({
    ...check,
    explanation: named(check.explanation),
    owner: criteria.owners.get(check.id) ?? '',
  }));
  const told = { ...result, checks, cause: named(result.cause), tier: criteria.tier };
  if (result.tree.start === question.tree || result.verdict === 'indeterminate') return told;
  const cause = `the checkout holds the tree ${result.tree.start}, the claim names ${question.tree}`;
  return { ...told, verdict: 'indeterminate' as const, cause };
}

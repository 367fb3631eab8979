import type { Json } from './canonical.ts';
import { atLeast, exactly, listOf, mapOf, misfit, type Shape } from './shape.ts';

// The types below are aliases, not interfaces: only aliases are assignable to Json.

/** Digests by algorithm: sha256, gitCommit, gitTree (in-toto DigestSet). */
export type DigestSet = { readonly [algorithm: string]: string };

/** What a statement is about (in-toto Statement v1). */
export type Subject = { readonly name: string; readonly digest: DigestSet };

/** A file or document that was used, by name and digest (in-toto ResourceDescriptor). */
export type Resource = { readonly name: string; readonly digest: DigestSet };

/** in-toto Statement v1: somebody says `predicate` of `subject`. */
export type Statement<P extends Json = Json> = {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly Subject[];
  readonly predicateType: string;
  readonly predicate: P;
};

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const TEST_RESULT_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';
export const SVR_TYPE = 'https://in-toto.io/attestation/svr/v0.2';

const STATEMENT: Shape = exactly({
  _type: { kind: 'one-of', values: [STATEMENT_TYPE] },
  subject: listOf(atLeast({ name: 'text', digest: mapOf('text') })),
  predicateType: 'text',
  predicate: atLeast({}),
});

/** The subjects of everything said about a revision: the commit (full hash) and its tree. */
export function revision(commit: string, tree: string): readonly Subject[] {
  return [
    { name: 'commit', digest: { gitCommit: commit } },
    { name: 'tree', digest: { gitTree: tree } },
  ];
}

/** A statement of any predicate. */
export function statementOf<P extends Json>(
  subject: readonly Subject[],
  predicateType: string,
  predicate: P,
): Statement<P> {
  return { _type: STATEMENT_TYPE, subject, predicateType, predicate };
}

/** in-toto test-result v0.1. It has no word for a run that could not be judged; do not make one up: leave it out. */
export type TestResultPredicate = {
  readonly result: 'PASSED' | 'WARNED' | 'FAILED';
  /** The criteria and configuration files that the run used. */
  readonly configuration: readonly Resource[];
  readonly passedTests: readonly string[];
  readonly warnedTests: readonly string[];
  readonly failedTests: readonly string[];
};

/** One run of one test suite. */
export function testResultStatement(
  subject: readonly Subject[],
  predicate: TestResultPredicate,
): Statement<TestResultPredicate> {
  return statementOf(subject, TEST_RESULT_TYPE, predicate);
}

/** in-toto Simple Verification Result v0.2: properties that hold; there is no way to state one that does not. */
export type SvrPredicate = {
  /** `id` is a URI that changes with the logic of the verifier. */
  readonly verifier: { readonly id: string; readonly policies: readonly Resource[] };
  /** ISO 8601 UTC. */
  readonly timeCreated: string;
  readonly properties: readonly string[];
};

/** What a verifier found to hold. */
export function svrStatement(subject: readonly Subject[], predicate: SvrPredicate): Statement<SvrPredicate> {
  return statementOf(subject, SVR_TYPE, predicate);
}

/** A parsed JSON value as a statement, or undefined. Every subject must carry a digest. */
export function readStatement(value: unknown): Statement | undefined {
  return isStatement(value) ? value : undefined;
}

function isStatement(value: unknown): value is Statement {
  if (misfit(value, STATEMENT) !== undefined) return false;
  const { subject } = value as Statement;
  return subject.length > 0 && subject.every(({ digest }) => Object.keys(digest).length > 0);
}

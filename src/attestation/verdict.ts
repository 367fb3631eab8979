import { atLeast, exactly, ifThere, listOf, mapOf, misfit, oneOf, orNull, type Shape } from './shape.ts';
import { type Statement, type Subject, statementOf } from './statement.ts';

/** Own predicate: in-toto has none that can state a failure together with who asked, who judged and under what rules. */
export const VERDICT_TYPE = 'https://countersign.dev/attestation/verdict/v1';

/** How far the judge stands from the builder, weakest first. */
export type Independence = 'automated' | 'sibling' | 'other-lineage' | 'human';

/** What one check of the criteria found. */
export type CheckResult = {
  readonly id: string;
  readonly kind: string;
  readonly outcome: 'pass' | 'fail' | 'indeterminate';
  readonly explanation: string;
  /** Whole milliseconds. */
  readonly durationMs: number;
  /** Hex digest and length of the captured output. */
  readonly output: { readonly sha256: string; readonly bytes: number };
  /** null where the check runs no tests. */
  readonly tests: { readonly passed: number; readonly failed: number; readonly skipped: number } | null;
  /** Why it did not pass, as one word for programs; '' where the explanation says all. */
  readonly reason?: string;
  /** What a pass says about the work, such as `red-green`. */
  readonly shows?: readonly string[];
  /** Attempts, counts against the base, what was reused: one line each. */
  readonly notes?: readonly string[];
  /** The owner who let a failed check go for this claim, and why; both '' where nobody did. */
  readonly waivedBy?: string;
  readonly waiverReason?: string;
};

/** The outcome of one verification. Digests are hex SHA-256, times ISO 8601 UTC. */
export type VerdictPredicate = {
  readonly item: {
    readonly id: string;
    readonly display: string;
    readonly list: string;
    readonly title: string;
  };
  /** 1 for the first claim of the item. */
  readonly attempt: number;
  /** Chosen by the engine when it asked; a verdict of another request does not carry it. */
  readonly nonce: string;
  readonly verdict: 'PASSED' | 'BLOCKED' | 'INDETERMINATE';
  /** Why not PASSED, '' otherwise. */
  readonly cause: string;
  readonly independence: Independence;
  /** How much the passed checks say: `none`, `self-test`, `red-green`, `acceptance`, and ` + mutation` after it. */
  readonly strength?: string;
  /** What the criteria call themselves: `light`, `standard`, `strict`, or ''. */
  readonly tier?: string;
  readonly requestedBy: string;
  readonly builders: readonly string[];
  readonly verifier: { readonly role: string; readonly runnerVersion: string };
  readonly criteria: { readonly path: string; readonly digest: string };
  readonly policyDigest: string;
  readonly protocol: { readonly name: string; readonly version: string; readonly digest: string };
  readonly baseCommit: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly environment: { readonly [name: string]: string };
  readonly protectionLevel: string;
  readonly checks: readonly CheckResult[];
  /** Hex SHA-256 of the other lines of the pack, in their order. */
  readonly members: readonly string[];
};

/** What the verifier says; the pack adds its members when it is sealed. */
export type VerdictBody = Omit<VerdictPredicate, 'members'>;

const CHECK: Shape = atLeast({
  id: 'text',
  kind: 'text',
  outcome: oneOf('pass', 'fail', 'indeterminate'),
  explanation: 'string',
  durationMs: 'count',
  output: exactly({ sha256: 'sha256', bytes: 'count' }),
  tests: orNull(atLeast({ passed: 'count', failed: 'count', skipped: 'count' })),
  reason: ifThere('string'),
  shows: ifThere(listOf('text')),
  notes: ifThere(listOf('string')),
  waivedBy: ifThere('string'),
  waiverReason: ifThere('string'),
});

const VERDICT: Shape = atLeast({
  item: atLeast({ id: 'text', display: 'string', list: 'string', title: 'string' }),
  attempt: 'ordinal',
  nonce: 'text',
  verdict: oneOf('PASSED', 'BLOCKED', 'INDETERMINATE'),
  cause: 'string',
  independence: oneOf('automated', 'sibling', 'other-lineage', 'human'),
  strength: ifThere('text'),
  tier: ifThere('string'),
  requestedBy: 'string',
  builders: listOf('string'),
  verifier: atLeast({ role: 'text', runnerVersion: 'string' }),
  criteria: atLeast({ path: 'string', digest: 'string' }),
  policyDigest: 'string',
  protocol: atLeast({ name: 'text', version: 'text', digest: 'string' }),
  baseCommit: 'string',
  startedAt: 'text',
  endedAt: 'text',
  environment: mapOf('string'),
  protectionLevel: 'text',
  checks: listOf(CHECK),
  members: listOf('sha256'),
});

/** The statement of a verdict on a revision. */
export function verdictStatement(
  subject: readonly Subject[],
  predicate: VerdictPredicate,
): Statement<VerdictPredicate> {
  return statementOf(subject, VERDICT_TYPE, predicate);
}

/** The verdict that a statement holds, or the path of the first field that is missing or of another type. */
export function readVerdict(
  statement: Statement,
): { readonly verdict: VerdictPredicate } | { readonly lacks: string } {
  if (statement.predicateType !== VERDICT_TYPE) return { lacks: 'predicateType' };
  const path = misfit(statement.predicate, VERDICT);
  return path === undefined ? { verdict: statement.predicate as VerdictPredicate } : { lacks: path.slice(1) };
}

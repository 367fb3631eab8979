import type { TrustedKey } from './key.ts';
import { linesOf, parseCanonical } from './line.ts';
import { atLeast, listOf, mapOf, misfit, oneOf, type Shape } from './shape.ts';
import type { DigestSet, Statement, Subject } from './statement.ts';
import { statementOf } from './statement.ts';
import { claimOf, verifyEnvelope } from './verify.ts';

export const VSA_TYPE = 'https://slsa.dev/verification_summary/v1';

/** A document by URI and digest (in-toto ResourceDescriptor). */
export type Referenced = { readonly uri: string; readonly digest: DigestSet };

/** SLSA Verification Summary Attestation v1. It knows two results: what could not be judged has FAILED. */
export type VsaPredicate = {
  readonly verifier: { readonly id: string; readonly version: { readonly [component: string]: string } };
  /** ISO 8601 UTC. */
  readonly timeVerified: string;
  readonly resourceUri: string;
  readonly policy: Referenced;
  readonly inputAttestations: readonly Referenced[];
  readonly verificationResult: 'PASSED' | 'FAILED';
  /** Names of our own, no SLSA levels: we say nothing of builds. `FAILED` alone where the policy was not met. */
  readonly verifiedLevels: readonly string[];
  readonly dependencyLevels: { readonly [level: string]: number };
};

/** What a verifier concluded about a revision, for whoever reads SLSA summaries. */
export function vsaStatement(subject: readonly Subject[], predicate: VsaPredicate): Statement<VsaPredicate> {
  return statementOf(subject, VSA_TYPE, predicate);
}

const REFERENCED: Shape = atLeast({ uri: 'text', digest: mapOf('text') });

const VSA: Shape = atLeast({
  verifier: atLeast({ id: 'text' }),
  timeVerified: 'text',
  resourceUri: 'text',
  policy: REFERENCED,
  inputAttestations: listOf(REFERENCED),
  verificationResult: oneOf('PASSED', 'FAILED'),
  verifiedLevels: listOf('text'),
});

/** What reading a summary gave; 'valid' says that it is what a trusted signer wrote, not that anything passed. */
export interface OpenedVsa {
  /** 'cannot-tell': nothing is wrong but that the signer is not trusted. */
  readonly status: 'valid' | 'broken' | 'cannot-tell';
  readonly because: string;
  /** Undefined unless the signature holds. */
  readonly statement: Statement<VsaPredicate> | undefined;
}

/**
 * Reads a file that holds one envelope, and in it a verification summary; undefined for any other file. Throws BAD_KEY
 * for a bad trusted key.
 */
export function openVsa(bytes: Uint8Array, trusted: readonly TrustedKey[]): OpenedVsa | undefined {
  const [line, ...more] = linesOf(bytes);
  if (line === undefined || more.length > 0) return undefined;
  const parsed = parseCanonical(line.bytes);
  // The type that nobody has vouched for yet only tells by which rules the file is to be read.
  if (!parsed.ok || claimOf(parsed.value)?.predicateType !== VSA_TYPE) return undefined;
  const result = verifyEnvelope(parsed.value, trusted);
  if (!result.ok) {
    const status = result.code === 'unknown-key' ? 'cannot-tell' : 'broken';
    return { status, because: result.because, statement: undefined };
  }
  const lacks = misfit(result.statement.predicate, VSA);
  if (lacks === undefined)
    return { status: 'valid', because: '', statement: result.statement as Statement<VsaPredicate> };
  return {
    status: 'broken',
    because: `not a whole verification summary: see ${lacks}`,
    statement: undefined,
  };
}

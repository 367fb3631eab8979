import type { DigestSet, Statement, Subject } from './statement.ts';
import { statementOf } from './statement.ts';

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

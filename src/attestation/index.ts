export { AttestationError, type AttestationErrorCode } from './attestation-error.ts';
export { canonicalize, type Json } from './canonical.ts';
export {
  breakBetween,
  type ChainBreak,
  type ChainedEvent,
  type ChainHead,
  genesis,
  link,
  verifyChain,
} from './chain.ts';
export { type Checkpoint, type CheckpointResult, makeCheckpoint, openCheckpoint } from './checkpoint.ts';
export { sha256Hex } from './digest.ts';
export { type Envelope, PAYLOAD_TYPE, pae } from './envelope.ts';
export { type ExportWriter, exportLines, exportWriter } from './export.ts';
export { EXPORT_FORMAT, EXPORT_TYPE, type ExportEvent, type ExportHeader } from './export-format.ts';
export type { ExportFinding } from './export-report.ts';
export { type ExportVerification, verifyExport } from './export-verify.ts';
export { generateKeyPair, type Signer, signerFrom, type TrustedKey, trustedKeyFrom } from './key.ts';
export { headLeaf, logRoot, merkleRoot, type StreamHead } from './merkle.ts';
export { type OpenedPack, openProofPack, type PackFinding, sealProofPack } from './proof-pack.ts';
export { signStatement } from './sign.ts';
export {
  type DigestSet,
  type Resource,
  revision,
  type Statement,
  type Subject,
  type SvrPredicate,
  statementOf,
  svrStatement,
  type TestResultPredicate,
  testResultStatement,
} from './statement.ts';
export {
  type CheckResult,
  type Independence,
  VERDICT_TYPE,
  type VerdictBody,
  type VerdictPredicate,
  verdictStatement,
} from './verdict.ts';
export { type EnvelopeProblem, type EnvelopeResult, verifyEnvelope } from './verify.ts';
export {
  type OpenedVsa,
  openVsa,
  type Referenced,
  VSA_TYPE,
  type VsaPredicate,
  vsaStatement,
} from './vsa.ts';

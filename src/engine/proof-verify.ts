import { canonicalize, type Json } from '../attestation/canonical.ts';
import { sha256Hex } from '../attestation/digest.ts';
import type { TrustedKey } from '../attestation/key.ts';
import { openProofPack } from '../attestation/proof-pack.ts';
import type { VerdictPredicate } from '../attestation/verdict.ts';
import { openVsa, type VsaPredicate } from '../attestation/vsa.ts';
import type { Evidence } from '../kernel/evidence.ts';
import { EngineError } from './engine-error.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';
import { readableText } from './readable-pack.ts';

/** What looking at a pack's file gave. 'clean' says that it is what the signer wrote, not that anything passed. */
export interface JudgedPack {
  readonly status: 'clean' | 'broken' | 'cannot-tell';
  readonly findings: readonly { readonly where: string; readonly what: string }[];
  /** Undefined unless its own signature holds. */
  readonly verdict: VerdictPredicate | undefined;
  /** Digests of the subjects: gitCommit, gitTree. */
  readonly subject: { readonly [algorithm: string]: string };
}

/** Judges the bytes of a signed pack by docs/formats/proof-pack.md. Throws BAD_KEY for a bad trusted key. */
export function judgePack(bytes: Uint8Array, trusted: readonly TrustedKey[]): JudgedPack {
  const { status, verdict, findings, statements } = openProofPack(bytes, trusted);
  return {
    status: status === 'valid' ? 'clean' : status,
    findings: findings.map(({ line, what }) => ({ where: `line ${line}`, what })),
    verdict,
    subject: Object.assign({}, ...(statements.at(-1)?.subject ?? []).map((s) => s.digest)),
  };
}

/** What looking at a verification summary gave. */
export interface JudgedSummary extends Omit<JudgedPack, 'verdict'> {
  readonly summary: VsaPredicate | undefined;
}

/** Judges a verification summary by its signature; undefined for a file that is none. Throws BAD_KEY. */
export function judgeSummary(bytes: Uint8Array, trusted: readonly TrustedKey[]): JudgedSummary | undefined {
  const opened = openVsa(bytes, trusted);
  if (opened === undefined) return undefined;
  const { status, because, statement } = opened;
  return {
    status: status === 'valid' ? 'clean' : status,
    findings: because === '' ? [] : [{ where: 'summary', what: because }],
    summary: statement?.predicate,
    subject: Object.assign({}, ...(statement?.subject ?? []).map((s) => s.digest)),
  };
}

/** Where a readable pack says its signed one lies; undefined for any other file. */
export function signedPathOf(bytes: Uint8Array): string | undefined {
  try {
    const { schema, signed } = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return schema === 'countersign/proofpack/1' && typeof signed?.path === 'string' ? signed.path : undefined;
  } catch {
    return undefined;
  }
}

/** Judges a readable pack with the signed one that it names: it must say what that one says. */
export function judgeReadable(
  readable: Uint8Array,
  path: string,
  signed: Uint8Array,
  trusted: readonly TrustedKey[],
): JudgedPack {
  const judged = judgePack(signed, trusted);
  if (judged.verdict === undefined) return judged;
  const text = readableText(judged.verdict, path, Buffer.from(signed).toString('utf8'));
  if (sameDocument(Buffer.from(readable).toString('utf8'), text)) return judged;
  const what = 'the readable pack does not say what the signed one says: one of them was changed';
  return { ...judged, status: 'broken', findings: [...judged.findings, { where: 'file', what }] };
}

/** The same members with the same values, each once; their order depends on where a value came from. */
function sameDocument(written: string, expected: string): boolean {
  try {
    const value: Json = JSON.parse(written);
    const plain = `${JSON.stringify(value, null, 2)}\n` === written;
    return plain && canonicalize(value) === canonicalize(JSON.parse(expected));
  } catch {
    return false;
  }
}

/** One verification of an item, as its log has it. */
export interface PackRecord {
  readonly attempt: number;
  readonly outcome: string;
  readonly at: string;
  readonly requestedBy: string;
  readonly independence: string;
  /** '' in records of older versions, and of what did not pass. */
  readonly strength: string;
  readonly readable: string;
  readonly signed: string;
  readonly sha256: string;
}

/** All verifications of an item, oldest first, also those that decided nothing. */
export function packsOf({ item }: Pick<Handle, 'item'>): readonly PackRecord[] {
  return item.evidence.filter((e) => typeof e.facts.signed === 'string').map(recordOf);
}

function recordOf({ attempt, outcome, at, requestedBy, independence, facts }: Evidence): PackRecord {
  const readable = String(facts.proofpack ?? '');
  const sha256 = String(facts.signed_sha256 ?? '');
  const strength = outcome === 'PASSED' ? String(facts.strength ?? '') : '';
  const given = { attempt, outcome, at, requestedBy, independence, strength };
  return { ...given, readable, signed: String(facts.signed), sha256 };
}

/** The signed pack of the latest verification, or of that of one attempt, unchanged. Throws NOT_FOUND, DAMAGED. */
export function latestPack(
  ports: Pick<Ports, 'files'>,
  handle: Pick<Handle, 'item' | 'display'>,
  attempt: number | undefined,
): { readonly record: PackRecord; readonly bytes: Buffer } {
  const record = packsOf(handle)
    .filter((pack) => attempt === undefined || pack.attempt === attempt)
    .at(-1);
  if (record === undefined)
    throw new EngineError(
      'NOT_FOUND',
      `${handle.display} has no proof pack${attempt === undefined ? '' : ` of attempt ${attempt}`}`,
      `see: countersign log ${handle.display}`,
    );
  const bytes = ports.files.read(record.signed);
  if (bytes !== undefined && sha256Hex(bytes) === record.sha256) return { record, bytes };
  const what = bytes === undefined ? 'is missing' : 'was changed';
  throw new EngineError(
    'DAMAGED',
    `the proof pack ${record.signed} ${what}`,
    'run: countersign audit verify',
  );
}

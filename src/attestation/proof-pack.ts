import { canonicalize, type Json } from './canonical.ts';
import { sha256Hex } from './digest.ts';
import type { Signer, TrustedKey } from './key.ts';
import { endsWithNewline, type Line, linesOf, parseCanonical } from './line.ts';
import { isRecord } from './shape.ts';
import { signStatement } from './sign.ts';
import type { Statement, Subject } from './statement.ts';
import {
  readVerdict,
  VERDICT_TYPE,
  type VerdictBody,
  type VerdictPredicate,
  verdictStatement,
} from './verdict.ts';
import { verifyEnvelope } from './verify.ts';

export interface PackFinding {
  readonly line: number;
  readonly what: string;
}

/** What reading a pack gave. Only 'valid' may open a gate. */
export interface OpenedPack {
  /** 'cannot-tell': nothing is wrong but that a signer is not trusted, or the file is no pack at all. */
  readonly status: 'valid' | 'broken' | 'cannot-tell';
  /** The verdict, when its own signature holds. */
  readonly verdict: VerdictPredicate | undefined;
  /** The statements whose signatures hold, in their order. */
  readonly statements: readonly Statement[];
  readonly findings: readonly PackFinding[];
}

/**
 * A proof pack as text (docs/formats/proof-pack.md): the members' envelopes, then the verdict that lists their digests,
 * one canonical line each. What in-toto leaves open for bundles, losing or adding a line, is thereby detectable.
 */
export function sealProofPack(
  members: readonly Statement<Json>[],
  verdict: { readonly subject: readonly Subject[]; readonly predicate: VerdictBody },
  signer: Signer,
): string {
  const lines = members.map((member) => canonicalize(signStatement(member, signer)));
  const predicate = { ...verdict.predicate, members: lines.map((line) => sha256Hex(line)) };
  const last = canonicalize(signStatement(verdictStatement(verdict.subject, predicate), signer));
  return `${[...lines, last].join('\n')}\n`;
}

/** Reads a pack and names every line that is not what the signers wrote. Throws BAD_KEY for a bad trusted key. */
export function openProofPack(bytes: Uint8Array, trusted: readonly TrustedKey[]): OpenedPack {
  const lines = [...linesOf(bytes)];
  const read = lines.map((line) => readLine(line, trusted));
  const findings = read.flatMap(({ line, problem }) =>
    problem === undefined ? [] : [{ line: line.number, what: problem }],
  );
  if (!read.some(({ isEnvelope }) => isEnvelope)) {
    const what = lines.length === 0 ? 'the file is empty' : 'not a proof pack: no line is an envelope';
    return { status: 'cannot-tell', verdict: undefined, statements: [], findings: [{ line: 1, what }] };
  }
  const seal = checkSeal(read);
  const broken = [...seal.findings];
  if (!endsWithNewline(bytes)) broken.push({ line: lines.length, what: 'the last line is cut off' });
  const sound = broken.length === 0 && read.every(({ problem, doubt }) => problem === undefined || doubt);
  return {
    status: !sound ? 'broken' : findings.length === 0 ? 'valid' : 'cannot-tell',
    verdict: seal.verdict,
    statements: read.flatMap(({ statement }) => statement ?? []),
    findings: [...findings, ...broken].sort((a, b) => a.line - b.line),
  };
}

interface ReadLine {
  readonly line: Line;
  readonly isEnvelope: boolean;
  readonly statement: Statement | undefined;
  readonly problem: string | undefined;
  /** The problem is only that the key is not trusted. */
  readonly doubt: boolean;
}

function readLine(line: Line, trusted: readonly TrustedKey[]): ReadLine {
  const parsed = parseCanonical(line.bytes);
  if (!parsed.ok) {
    return { line, isEnvelope: false, statement: undefined, problem: parsed.because, doubt: false };
  }
  const isEnvelope = isRecord(parsed.value) && 'payloadType' in parsed.value;
  const result = verifyEnvelope(parsed.value, trusted);
  if (result.ok) return { line, isEnvelope, statement: result.statement, problem: undefined, doubt: false };
  return {
    line,
    isEnvelope,
    statement: undefined,
    problem: result.because,
    doubt: result.code === 'unknown-key',
  };
}

interface Seal {
  readonly verdict: VerdictPredicate | undefined;
  readonly findings: readonly PackFinding[];
}

/** The last line must be the only verdict and must list the lines before it. An unreadable last line says nothing. */
function checkSeal(read: readonly ReadLine[]): Seal {
  const early = read.slice(0, -1).filter(({ statement }) => statement?.predicateType === VERDICT_TYPE);
  const findings = early.map(({ line }) => ({
    line: line.number,
    what: 'a verdict before the end of the pack',
  }));
  const last = read.at(-1);
  if (last?.statement === undefined) return { verdict: undefined, findings };
  const found = readVerdict(last.statement);
  if (!('verdict' in found)) {
    const what = `the pack does not end with a whole verdict: see ${found.lacks}`;
    return { verdict: undefined, findings: [...findings, { line: last.line.number, what }] };
  }
  const { verdict } = found;
  return { verdict, findings: [...findings, ...compareMembers(read.slice(0, -1), verdict.members)] };
}

/** Names the lines that differ from the list in the verdict. */
function compareMembers(present: readonly ReadLine[], listed: readonly string[]): PackFinding[] {
  const findings: PackFinding[] = [];
  for (let index = 0; index < Math.max(present.length, listed.length); index += 1) {
    const line = present[index];
    const expected = listed[index];
    if (line !== undefined && expected === sha256Hex(line.line.bytes)) continue;
    const what =
      line === undefined
        ? `the member with digest ${expected} is missing`
        : 'not the line that the verdict lists here: edited, added, removed or moved';
    findings.push({ line: index + 1, what });
  }
  return findings;
}

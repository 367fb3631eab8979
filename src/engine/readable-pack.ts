import { sha256Hex } from '../attestation/digest.ts';
import type { CheckResult, VerdictBody } from '../attestation/verdict.ts';

/** What people open: the seed's proof pack as plain JSON (2PC-54), naming the signed one that proves it. */
export function readableText(body: VerdictBody, signed: string, signedText: string) {
  const readable = {
    schema: 'countersign/proofpack/1',
    item_id: body.item.display,
    verdict: body.verdict,
    cause: body.cause,
    attempt: body.attempt,
    independence: body.independence,
    ...(body.strength === undefined ? {} : { strength: body.strength }),
    ...(body.tier === undefined ? {} : { tier: body.tier }),
    requested_by: body.requestedBy,
    verified_at: body.endedAt,
    criteria: body.criteria,
    criteria_results: body.checks.map((c) => ({
      id: c.id,
      met: c.outcome === 'pass',
      outcome: c.outcome,
      explanation: c.explanation,
      output: c.output,
      ...furtherOf(c),
    })),
    failures: failuresIn(body.checks),
    signed: { path: signed, sha256: sha256Hex(signedText) },
  };
  return `${JSON.stringify(readable, null, 2)}\n`;
}

/** What a verdict holds against the work: the failed checks that nobody waived. */
export const failuresIn = (checks: readonly CheckResult[]): readonly string[] =>
  checks
    .filter((c) => c.outcome === 'fail' && (c.waivedBy ?? '') === '')
    .map((c) => `${c.id} - ${c.explanation}`);

/** Members that packs of older versions do not have. */
function furtherOf({ reason, shows, notes, waivedBy, waiverReason }: CheckResult) {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(shows === undefined ? {} : { shows }),
    ...(notes === undefined ? {} : { notes }),
    ...(waivedBy === undefined ? {} : { waived_by: waivedBy }),
    ...(waiverReason === undefined ? {} : { waiver_reason: waiverReason }),
  };
}

import type { CheckResult, VerdictPredicate } from '../attestation/verdict.ts';
import type { VsaPredicate } from '../attestation/vsa.ts';
import type { JudgedPack } from '../engine/proof-verify.ts';

/** A verdict as people read it: every check by itself, since a count of passed checks hides the one that counts. */
export function packLines(verdict: VerdictPredicate, subject: JudgedPack['subject']): readonly string[] {
  const { item, attempt, cause, checks, builders, requestedBy, independence, protocol } = verdict;
  const told = verdict.verdict === 'PASSED' || cause === '' ? '' : `: ${cause}`;
  return [
    `${verdict.verdict} ${item.display} ${item.title}${told}`,
    `attempt ${attempt}, commit ${subject.gitCommit ?? '(none)'}`,
    `built by ${builders.join(', ') || '(nobody)'}, asked for by ${requestedBy} (${independence})`,
    ...gradeLine(verdict),
    `criteria ${verdict.criteria.path}, protocol ${protocol.name} ${protocol.version}, ended ${verdict.endedAt}`,
    ...checks.flatMap(checkLines),
  ];
}

/** A verification summary as people read it. */
export function summaryLines(summary: VsaPredicate, subject: JudgedPack['subject']): readonly string[] {
  const { verificationResult, timeVerified, verifiedLevels, policy, inputAttestations, verifier } = summary;
  return [
    `SLSA verification summary: ${verificationResult}, ${verifiedLevels.join(', ')}`,
    `commit ${subject.gitCommit ?? '(none)'}`,
    `policy ${policy.uri}, verified ${timeVerified} by ${verifier.id}`,
    ...inputAttestations.map(({ uri, digest }) => `pack ${uri}, sha256 ${digest.sha256 ?? '(none)'}`),
  ];
}

/** Packs of older versions have no grade, and what did not pass has no strength. */
function gradeLine({ strength, tier = '', verdict }: VerdictPredicate): readonly string[] {
  if (strength === undefined) return [];
  const told = [
    ...(verdict === 'PASSED' ? [`strength ${strength}`] : []),
    ...(tier === '' ? [] : [`tier ${tier}`]),
  ];
  return told.length === 0 ? [] : [told.join(', ')];
}

const MARGIN = ' '.repeat(16);

function checkLines(check: CheckResult): readonly string[] {
  const { id, outcome, explanation, tests, reason = '', shows = [], notes = [] } = check;
  const { waivedBy = '', waiverReason = '' } = check;
  return [
    `  ${outcome.padEnd(13)} ${id} - ${explanation}${reason === '' ? '' : ` [${reason}]`}`,
    ...(tests === null
      ? []
      : [`${MARGIN}tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`]),
    ...(shows.length === 0 ? [] : [`${MARGIN}shows: ${shows.join(', ')}`]),
    ...(waivedBy === '' ? [] : [`${MARGIN}waived by ${waivedBy}: ${waiverReason}`]),
    ...notes.map((line) => `${MARGIN}${line}`),
  ];
}

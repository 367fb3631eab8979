import type { CheckResult, VerdictPredicate } from '../attestation/verdict.ts';

/**
 * The checks of a verdict as JUnit XML, one case each. A check that could not be judged is an error, a waived one is
 * skipped with the name of its owner: neither looks green.
 */
export function junitOf(verdict: VerdictPredicate): string {
  const { item, checks, startedAt, strength = 'none', independence } = verdict;
  const ended = (outcome: CheckResult['outcome'], waived: boolean) =>
    String(checks.filter((c) => c.outcome === outcome && isWaived(c) === waived).length);
  const seconds = (ms: number) => (ms / 1_000).toFixed(3);
  const counts = {
    tests: String(checks.length),
    failures: ended('fail', false),
    errors: ended('indeterminate', false),
    skipped: ended('fail', true),
    time: seconds(checks.reduce((sum, c) => sum + c.durationMs, 0)),
  };
  const properties = { verdict: verdict.verdict, strength, independence, commit_base: verdict.baseCommit };
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'countersign', ...counts })}>`,
    `  <testsuite${attributes({ name: `${item.display} ${item.title}`, timestamp: startedAt, ...counts })}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
    ...checks.flatMap((check) => caseOf(check, seconds(check.durationMs))),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

const isWaived = ({ waivedBy = '' }: CheckResult) => waivedBy !== '';

function caseOf(check: CheckResult, time: string): readonly string[] {
  const { id, kind, notes = [] } = check;
  const head = `    <testcase${attributes({ classname: kind, name: id, time })}`;
  const inside = [...elementOf(check), ...outputOf(notes)];
  return inside.length === 0 ? [`${head}/>`] : [`${head}>`, ...inside, '    </testcase>'];
}

function elementOf(check: CheckResult): readonly string[] {
  const { outcome, explanation, reason = '', waivedBy = '', waiverReason = '' } = check;
  if (outcome === 'pass') return [];
  if (waivedBy !== '') {
    const message = `waived by ${waivedBy}: ${waiverReason} (it failed: ${explanation})`;
    return [`      <skipped${attributes({ message })}/>`];
  }
  const type = reason === '' ? outcome : reason;
  const name = outcome === 'fail' ? 'failure' : 'error';
  return [`      <${name}${attributes({ message: explanation, type })}/>`];
}

const outputOf = (notes: readonly string[]): readonly string[] =>
  notes.length === 0 ? [] : [`      <system-out>${escaped(notes.join('\n'))}</system-out>`];

const attributes = (named: { readonly [name: string]: string }): string =>
  Object.entries(named)
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');

/** XML 1.0 has no way to write most control characters and halves of surrogate pairs: a mark stands in for each. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('\r', '\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

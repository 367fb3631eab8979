import type { Counts, Family, FamilyName } from './counts.ts';
import { labelsThatCanBe } from './labels.ts';

/** Families with the name under which a scraper finds them, and what they count (docs/metrics.md). */
const NAMES: readonly (readonly [FamilyName, name: string, help: string])[] = [
  ['claims', 'claims_total', 'Claims that work is finished'],
  ['passed', 'claims_passed_total', 'Claims whose checks passed'],
  ['refusedClaims', 'claims_refused_total', 'Claims whose checks failed: false claims'],
  ['inconclusive', 'claims_inconclusive_total', 'Runs of the checks that decided nothing'],
  ['rejectedAfter', 'rejections_after_verification_total', 'Verified work that quality validation rejected'],
  ['misses', 'verifier_misses_total', 'Passes that were taken back later'],
  ['completions', 'completions_total', 'Entries into a success state'],
  ['reworkRounds', 'rework_rounds_total', 'Claims of an item after its first'],
  ['failures', 'failures_total', 'Failures by state and agent'],
  ['refusals', 'refusals_total', 'Commands that were refused, by reason and agent'],
  ['independence', 'verdicts_total', 'Passes by how far whoever asked stands from the work'],
  ['minutesInState', 'state_minutes_total', 'Minutes that items spent in a state they have left'],
  ['staysInState', 'state_stays_total', 'Stays in a state that have ended'],
];

/**
 * The counts in the text format of Prometheus (exposition format 0.0.4). What can come up and did not is told as 0: of a
 * counter that begins at 1 no rate can be told.
 */
export function prometheusText(counts: Counts): string {
  const zeros = labelsThatCanBe(counts);
  return NAMES.flatMap(([family, name, help]) =>
    familyLines(`countersign_${name}`, help, withZeros(counts[family], zeros[family])),
  ).join('');
}

function withZeros(family: Family, labels: readonly { readonly [label: string]: string }[]): Family {
  const zeros = labels.map((one) => [JSON.stringify(one), { labels: one, value: 0 }] as const);
  return new Map([...zeros, ...family]);
}

function familyLines(name: string, help: string, family: Family): readonly string[] {
  const samples = [...family.values()].map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`);
  return [`# HELP ${name} ${help}\n`, `# TYPE ${name} counter\n`, ...samples];
}

function labelText(labels: { readonly [label: string]: string }): string {
  const escaped = (text: string) => text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

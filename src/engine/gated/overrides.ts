import { openOverride } from '../../attestation/override.ts';
import { isNothing, type PushedCommit } from '../../workspace/pushed.ts';
import { type Finding, type Gate, PERMITTED, type Update } from './gate.ts';
import type { GateSection } from './policy.ts';

/** What people let go of an update: the codes, and a line of the record for each override. */
export interface LetGo {
  readonly permits: ReadonlySet<string>;
  readonly remarks: readonly string[];
}

/** Overrides by allowed keys for exactly this update: this ref, from where it stands, to this commit and tree. */
export function letGo(gate: Gate, policy: GateSection, update: Update, next: PushedCommit): LetGo {
  const trusted = gate.people.filter(
    ({ keyid }) => policy.overrides === undefined || policy.overrides.includes(keyid),
  );
  const permits = new Set<string>();
  const remarks: string[] = [];
  for (const { where, bytes } of gate.papers.overrides(next.id)) {
    const opened = openOverride(bytes, trusted);
    if (!opened.ok) {
      remarks.push(`${where} does not count: ${opened.because}`);
      continue;
    }
    const { predicate, subject, keyid } = opened;
    const { gitCommit, gitTree } = subject;
    if (predicate.ref !== update.ref || !sameId(predicate.old, update.old)) {
      remarks.push(`${where} does not count: it is for ${predicate.ref} at ${predicate.old.slice(0, 12)}`);
    } else if (gitCommit === next.id && gitTree === next.tree) {
      for (const code of predicate.permits) permits.add(code);
      const what = predicate.permits.join(', ');
      remarks.push(`overridden (${what}) by key ${keyid.slice(0, 12)}: ${JSON.stringify(predicate.reason)}`);
    }
  }
  return { permits, remarks };
}

const sameId = (said: string, old: string) => (old === '' ? isNothing(said) : said === old);

/** Those that nobody let go. Not everything can be. */
export function remaining(findings: readonly Finding[], { permits }: LetGo): readonly Finding[] {
  const known: ReadonlySet<string> = new Set(PERMITTED);
  return findings.filter(({ code }) => !known.has(code) || !permits.has(code));
}

import { sha256Hex } from '../../attestation/digest.ts';
import type { TrustedKey } from '../../attestation/key.ts';
import { type OpenedPack, openProofPack } from '../../attestation/proof-pack.ts';
import type { VerdictPredicate } from '../../attestation/verdict.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { WorkItem } from '../../kernel/work-item.ts';
import { claimStep } from '../gates.ts';
import type { FilePort } from '../ports.ts';
import { isObject } from './body.ts';

export interface PackQuestion {
  readonly id: string;
  /** The item just before the evidence was recorded. */
  readonly item: WorkItem;
  readonly event: Recorded;
}

/** What is wrong with the files of a verification, and where they say otherwise than the event. */
export function packProblems(
  files: Pick<FilePort, 'read'>,
  runners: readonly TrustedKey[],
  question: PackQuestion,
): readonly string[] {
  const { facts } = question.event;
  if (typeof facts.signed !== 'string' || typeof facts.proofpack !== 'string') return [];
  const problems: string[] = [];
  for (const name of ['proofpack', 'signed']) {
    const path = String(facts[name]);
    const bytes = files.read(path);
    if (bytes === undefined) problems.push(`the proof pack ${path} is missing`);
    else if (sha256Hex(bytes) !== facts[`${name}_sha256`])
      problems.push(`the proof pack ${path} was changed`);
    else if (name === 'signed')
      problems.push(...contradictions(path, openProofPack(bytes, runners), question));
  }
  return problems;
}

function contradictions(path: string, pack: OpenedPack, question: PackQuestion): readonly string[] {
  if (pack.status !== 'valid' || pack.verdict === undefined) {
    const why = pack.findings.map(({ line, what }) => `line ${line}: ${what}`).join('; ');
    return [`the proof pack ${path} is ${pack.status}: ${why}`];
  }
  const said = saidBy(pack.verdict, pack);
  const recorded = recordedIn(question);
  return Object.keys(recorded).flatMap((name) =>
    said[name] === recorded[name]
      ? []
      : [`the proof pack ${path} says ${name} ${said[name]}, the log says ${recorded[name]}`],
  );
}

type Claims = { readonly [name: string]: string };

function saidBy(verdict: VerdictPredicate, { statements }: OpenedPack): Claims {
  const digests = Object.assign({}, ...(statements.at(-1)?.subject ?? []).map((s) => s.digest));
  return {
    item: verdict.item.id,
    attempt: String(verdict.attempt),
    outcome: verdict.verdict,
    commit: String(digests.gitCommit),
    tree: String(digests.gitTree),
    independence: verdict.independence,
    strength: verdict.strength ?? '',
    'requested by': verdict.requestedBy,
    builders: verdict.builders.join(),
    protocol: verdict.protocol.digest,
    criteria: verdict.criteria.digest,
  };
}

function recordedIn({ id, item, event }: PackQuestion): Claims {
  const claim = claimStep(item)?.facts ?? {};
  const { criteria } = event.facts;
  return {
    item: id,
    attempt: String(item.attempt),
    outcome: event.outcome,
    commit: String(claim.commit),
    tree: String(claim.tree),
    independence: event.independence,
    strength: String(event.facts.strength ?? ''),
    'requested by': event.requestedBy,
    builders: (item.marks.builder ?? []).join(),
    protocol: item.protocol.digest,
    criteria: isObject(criteria) ? String(criteria.digest) : '',
  };
}

import { sha256Hex } from '../attestation/digest.ts';
import { sealProofPack } from '../attestation/proof-pack.ts';
import { revision, type Statement, svrStatement, testResultStatement } from '../attestation/statement.ts';
import type { VerdictBody } from '../attestation/verdict.ts';
import type { Facts, Json } from '../kernel/event.ts';
import { claimFacts } from './claim-facts.ts';
import type { FrozenCriteria } from './criteria.ts';
import { compactTime, slugOf } from './display.ts';
import type { CheckFinding, Ports, RunFinding } from './ports.ts';
import { failuresIn, readableText } from './readable-pack.ts';
import { strengthProperties } from './strength.ts';
import { type Packing, verdictBody } from './verdict-body.ts';
import type { Waiver } from './waiver.ts';

/** A run as evidence: what is recorded on the item, and the files that show it. */
export interface PackedRun {
  readonly kind: 'proof-pack' | 'inconclusive';
  readonly outcome: 'PASSED' | 'BLOCKED' | 'INDETERMINATE';
  readonly facts: Facts;
  readonly failures: readonly string[];
  readonly waivers: readonly Waiver[];
  readonly strength: string;
  readonly path: string;
  readonly signed: string;
}

export const PACKS = 'proofpacks';

/** Seals a run into a proof pack and writes its files; the item is updated only after this has worked (2PC-63). */
export function packRun(ports: Ports, packing: Packing): PackedRun {
  const { handle, run, criteria, steps, waivers } = packing;
  const outcome = ({ pass: 'PASSED', fail: 'BLOCKED', indeterminate: 'INDETERMINATE' } as const)[run.verdict];
  const outputs = run.checks.map((check) => ({ check, sha256: ports.evidence.put(check.output) }));
  const claim = claimFacts(handle);
  const subject = revision(String(claim.commit), String(claim.tree));
  const body = verdictBody(ports, packing, outcome, outputs);
  const members: Statement<Json>[] = run.checks.map(
    (check) => testResult(subject, criteria, check) as Statement<Json>,
  );
  if (outcome === 'PASSED') members.push(summary(ports, subject, criteria, run, body) as Statement<Json>);
  const signedText = sealProofPack(members, { subject, predicate: body }, ports.signer('runner'));
  const failures = failuresIn(body.checks);
  const strength = body.strength ?? 'none';
  const name = `${slugOf(handle.item.title)}-${compactTime(run.endedAt)}`;
  const signed = ports.files.write(PACKS, name, '.intoto.jsonl', signedText);
  const readable = readableText(body, signed, signedText);
  const path = ports.files.write(PACKS, name, '.json', readable);
  const facts: Facts = {
    proofpack: path,
    proofpack_sha256: sha256Hex(readable),
    signed,
    signed_sha256: sha256Hex(signedText),
    failures,
    cause: run.cause,
    strength,
    tier: run.tier,
    criteria: { ...criteria },
    ended_at: run.endedAt,
    steps: [...steps, { step: 'update item', at: run.endedAt }],
    checks: outputs.map(({ check, sha256 }) => ({
      id: check.id,
      outcome: check.outcome,
      explanation: check.explanation,
      reason: check.reason,
      shows: check.shows,
      output: sha256,
      ...waivedIn(waivers, check.id),
    })),
  };
  return {
    kind: outcome === 'INDETERMINATE' ? 'inconclusive' : 'proof-pack',
    outcome,
    facts,
    failures,
    waivers,
    strength,
    path,
    signed,
  };
}

/** The mark of a waived check, for ever in the log. */
function waivedIn(waivers: readonly Waiver[], check: string): Facts {
  const waiver = waivers.find((w) => w.check === check);
  return waiver === undefined ? {} : { waived_by: waiver.by, waiver_reason: waiver.reason };
}

function testResult(subject: ReturnType<typeof revision>, criteria: FrozenCriteria, check: CheckFinding) {
  const result = check.outcome === 'pass' ? 'PASSED' : check.outcome === 'fail' ? 'FAILED' : 'WARNED';
  return testResultStatement(subject, {
    result,
    configuration: [{ name: criteria.path, digest: { sha256: criteria.digest } }],
    passedTests: check.outcome === 'pass' ? [check.id] : [],
    warnedTests: check.outcome === 'indeterminate' ? [check.id] : [],
    failedTests: check.outcome === 'fail' ? [check.id, ...(check.tests?.failedNames ?? [])] : [],
  });
}

function summary(
  ports: Ports,
  subject: ReturnType<typeof revision>,
  criteria: FrozenCriteria,
  run: RunFinding,
  body: VerdictBody,
) {
  return svrStatement(subject, {
    verifier: {
      id: `https://countersign.dev/runner/${ports.runner.version}`,
      policies: [{ name: criteria.path, digest: { sha256: criteria.digest } }],
    },
    timeCreated: run.endedAt,
    properties: [
      body.checks.every((c) => c.outcome === 'pass')
        ? 'COUNTERSIGN_CHECKS_PASSED'
        : 'COUNTERSIGN_CHECKS_PASSED_OR_WAIVED',
      `COUNTERSIGN_INDEPENDENCE_${body.independence.toUpperCase().replace('-', '_')}`,
      ...strengthProperties(body.strength ?? 'none'),
    ],
  });
}

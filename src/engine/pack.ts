import { sha256Hex } from '../attestation/digest.ts';
import { sealProofPack } from '../attestation/proof-pack.ts';
import { revision, type Statement, svrStatement, testResultStatement } from '../attestation/statement.ts';
import type { VerdictBody } from '../attestation/verdict.ts';
import { independence } from '../kernel/actor.ts';
import { actorOf, type World } from '../kernel/context.ts';
import type { Facts, Json } from '../kernel/event.ts';
import type { Caller } from './caller.ts';
import type { FrozenCriteria } from './criteria.ts';
import { compactTime, slugOf } from './display.ts';
import type { Handle } from './handle.ts';
import type { CheckFinding, Ports, RunFinding } from './ports.ts';

/** A run as evidence: what is recorded on the item, and the files that show it. */
export interface PackedRun {
  readonly kind: 'proof-pack' | 'inconclusive';
  readonly outcome: 'PASSED' | 'BLOCKED' | 'INDETERMINATE';
  readonly facts: Facts;
  readonly failures: readonly string[];
  readonly path: string;
  readonly signed: string;
}

interface Packing {
  readonly handle: Handle;
  readonly caller: Caller;
  readonly criteria: FrozenCriteria;
  readonly run: RunFinding;
  readonly steps: readonly { readonly step: string; readonly at: string }[];
  readonly world: World;
}

export const PACKS = 'proofpacks';

/** Seals a run into a proof pack and writes its files; the item is updated only after this has worked (2PC-63). */
export function packRun(ports: Ports, packing: Packing): PackedRun {
  const { handle, run, criteria, steps } = packing;
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
  const failures = run.checks.filter((c) => c.outcome === 'fail').map((c) => `${c.id} - ${c.explanation}`);
  const name = `${slugOf(handle.item.title)}-${compactTime(run.endedAt)}`;
  const signed = ports.files.write(PACKS, name, '.intoto.jsonl', signedText);
  const readable = readableText(body, failures, signed, signedText);
  const path = ports.files.write(PACKS, name, '.json', readable);
  const facts: Facts = {
    proofpack: path,
    proofpack_sha256: sha256Hex(readable),
    signed,
    signed_sha256: sha256Hex(signedText),
    failures,
    cause: run.cause,
    criteria: { ...criteria },
    ended_at: run.endedAt,
    steps: [...steps, { step: 'update item', at: run.endedAt }],
    checks: outputs.map(({ check, sha256 }) => ({
      id: check.id,
      outcome: check.outcome,
      explanation: check.explanation,
      output: sha256,
    })),
  };
  return {
    kind: outcome === 'INDETERMINATE' ? 'inconclusive' : 'proof-pack',
    outcome,
    facts,
    failures,
    path,
    signed,
  };
}

function claimFacts({ item }: Handle): Facts {
  return item.steps.filter((s) => s.command === 'claim').at(-1)?.facts ?? {};
}

/** What people open: the seed's proof pack as plain JSON (2PC-54), naming the signed one that proves it. */
export function readableText(
  body: VerdictBody,
  failures: readonly string[],
  signed: string,
  signedText: string,
) {
  const readable = {
    schema: 'countersign/proofpack/1',
    item_id: body.item.display,
    verdict: body.verdict,
    cause: body.cause,
    attempt: body.attempt,
    independence: body.independence,
    requested_by: body.requestedBy,
    verified_at: body.endedAt,
    criteria: body.criteria,
    criteria_results: body.checks.map((c) => ({
      id: c.id,
      met: c.outcome === 'pass',
      outcome: c.outcome,
      explanation: c.explanation,
      output: c.output,
    })),
    failures,
    signed: { path: signed, sha256: sha256Hex(signedText) },
  };
  return `${JSON.stringify(readable, null, 2)}\n`;
}

interface StoredOutput {
  readonly check: CheckFinding;
  readonly sha256: string;
}

function verdictBody(
  ports: Ports,
  packing: Packing,
  verdict: VerdictBody['verdict'],
  outputs: readonly StoredOutput[],
): VerdictBody {
  const { handle, caller, criteria, run, world } = packing;
  const { item } = handle;
  const builders = item.marks.builder ?? [];
  const level = independence(
    caller.actor,
    builders.map((id) => actorOf(world, id)),
    caller.proof !== undefined,
  );
  return {
    item: { id: handle.id, display: handle.display, list: item.list, title: item.title },
    attempt: item.attempt,
    nonce: ports.random(16).toString('hex'),
    verdict,
    cause: run.cause,
    independence: level,
    requestedBy: caller.actor.id,
    builders,
    verifier: { role: 'verification-agent', runnerVersion: ports.runner.version },
    criteria: { path: criteria.path, digest: criteria.digest },
    policyDigest: sha256Hex(JSON.stringify(item.settings)),
    protocol: item.protocol,
    baseCommit: String(claimFacts(handle).base ?? ''),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    environment: run.environment,
    protectionLevel: ports.protectionLevel,
    checks: outputs.map(({ check, sha256 }) => ({
      id: check.id,
      kind: check.kind,
      outcome: check.outcome,
      explanation: check.explanation,
      durationMs: Math.max(0, Math.round(check.durationMs)),
      output: { sha256, bytes: check.output.length },
      tests:
        check.tests === null
          ? null
          : { passed: check.tests.passed, failed: check.tests.failed, skipped: check.tests.skipped },
    })),
  };
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
      'COUNTERSIGN_CHECKS_PASSED',
      `COUNTERSIGN_INDEPENDENCE_${body.independence.toUpperCase().replace('-', '_')}`,
    ],
  });
}

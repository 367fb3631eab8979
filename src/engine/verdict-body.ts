import { sha256Hex } from '../attestation/digest.ts';
import type { CheckResult, VerdictBody } from '../attestation/verdict.ts';
import { independence } from '../kernel/actor.ts';
import { actorOf, type World } from '../kernel/context.ts';
import { acceptanceOf, isAcceptanceIndependent } from './acceptance.ts';
import { verifierRole } from './accountability.ts';
import type { Caller } from './caller.ts';
import { claimFacts } from './claim-facts.ts';
import type { FrozenCriteria } from './criteria.ts';
import type { Handle } from './handle.ts';
import type { CheckFinding, Ports, RunFinding } from './ports.ts';
import { strengthOf } from './strength.ts';
import type { Waiver } from './waiver.ts';

/** A run, with all that the verdict on it has to say. */
export interface Packing {
  readonly handle: Handle;
  readonly caller: Caller;
  readonly criteria: FrozenCriteria;
  readonly run: RunFinding;
  readonly waivers: readonly Waiver[];
  readonly steps: readonly { readonly step: string; readonly at: string }[];
  readonly world: World;
}

/** A check with the digest under which its output is kept. */
export interface StoredOutput {
  readonly check: CheckFinding;
  readonly sha256: string;
}

/** The verdict as it is signed. */
export function verdictBody(
  ports: Ports,
  packing: Packing,
  verdict: VerdictBody['verdict'],
  outputs: readonly StoredOutput[],
): VerdictBody {
  const { handle, caller, criteria, run, world, waivers } = packing;
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
    strength: strengthIn(packing),
    tier: run.tier,
    requestedBy: caller.actor.id,
    builders,
    verifier: { role: verifierRole(handle.protocol), runnerVersion: ports.runner.version },
    criteria: { path: criteria.path, digest: criteria.digest },
    policyDigest: sha256Hex(JSON.stringify(item.settings)),
    protocol: item.protocol,
    baseCommit: String(claimFacts(handle).base ?? ''),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    environment: run.environment,
    protectionLevel: ports.protectionLevel,
    checks: outputs.map((output) => checkOf(output, waivers)),
  };
}

function checkOf({ check, sha256 }: StoredOutput, waivers: readonly Waiver[]): CheckResult {
  const { id, kind, outcome, explanation, tests, reason, shows, notes } = check;
  const waiver = waivers.find((w) => w.check === id);
  return {
    ...{ id, kind, outcome, explanation, reason, shows, notes },
    durationMs: Math.max(0, Math.round(check.durationMs)),
    output: { sha256, bytes: check.output.length },
    tests: tests === null ? null : { passed: tests.passed, failed: tests.failed, skipped: tests.skipped },
    waivedBy: waiver?.by ?? '',
    waiverReason: waiver?.reason ?? '',
  };
}

/** Examples of the builder's own lineage run, and count for nothing. */
function strengthIn({ handle: { item }, run, world }: Packing): string {
  return strengthOf(run.checks, acceptanceOf(item) === undefined || isAcceptanceIndependent(item, world));
}

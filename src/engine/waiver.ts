import { sha256Hex } from '../attestation/digest.ts';
import { actorOf, type World } from '../kernel/context.ts';
import type { Refused } from '../kernel/decide.ts';
import type { Evidence } from '../kernel/evidence.ts';
import { freshEvidence } from '../kernel/freshness.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { Caller } from './caller.ts';
import type { FrozenCriteria } from './criteria.ts';
import { EngineError } from './engine-error.ts';
import { type Outcome, plain, walk } from './execute.ts';
import { standsOutside } from './given.ts';
import { loadItem } from './handle.ts';
import { usableCriteria } from './judged-by.ts';
import type { CheckFinding, Ports, RunFinding } from './ports.ts';
import { speak } from './voice.ts';

/** What a waiver is about; a person reads and confirms exactly this. */
export interface WaiverQuestion {
  readonly item: string;
  readonly check: string;
  readonly owner: string;
  readonly commit: string;
  readonly reason: string;
  readonly criteria: FrozenCriteria;
  /** Hex SHA-256 of the lines below. */
  readonly digest: string;
  readonly lines: readonly string[];
}

/** What would be waived. Throws BAD_INPUT for a check that is not there, has no owner, or is not claimed. */
export async function waiverQuestion(
  ports: Ports,
  request: { readonly ref: string; readonly check: string; readonly reason: string },
): Promise<WaiverQuestion> {
  const { ref, check, reason } = request;
  if (reason.trim() === '')
    throw new EngineError('BAD_INPUT', 'a waiver needs a reason', 'say it with --reason');
  const handle = await loadItem(ports, ref);
  const { criteria, parsed } = await usableCriteria(ports, handle);
  const found = parsed.checks.find((c) => c.id === check);
  if (found === undefined) {
    const known = parsed.checks.map((c) => c.id).join(', ');
    throw new EngineError('BAD_INPUT', `${criteria.path} has no check ${check}`, `it has: ${known}`);
  }
  const commit = handle.item.subjects.commit?.digest ?? '';
  const lines = [
    `${handle.display} ${handle.item.title}`,
    `commit ${commit}`,
    `the check ${check} of ${criteria.path} need not pass`,
    `because: ${reason}`,
  ];
  const digest = sha256Hex(lines.join('\n'));
  return { item: handle.display, check, owner: found.owner, commit, reason, criteria, digest, lines };
}

/** Waives one check for the claimed commit, by its owner and nobody else. It stays a failed check, marked. */
export function waive(ports: Ports, caller: Caller, question: WaiverQuestion): Promise<Outcome> {
  const { item: ref, check, owner, commit, reason, criteria, digest } = question;
  const barred = owner === caller.actor.id ? undefined : notTheOwner(question);
  if (barred !== undefined)
    return walk(ports, caller, {
      ...plain,
      ref,
      name: 'waive',
      confirms: () => digest,
      decide: () => barred,
    });
  const facts = { check, reason, criteria: criteria.digest };
  return speak(ports, caller, {
    ref,
    name: 'waive',
    kind: 'waiver',
    outcome: 'waived',
    commit,
    digest,
    facts,
  });
}

function notTheOwner({ check, owner }: WaiverQuestion): Refused {
  const because =
    owner === ''
      ? `nobody owns ${check}: it can be waived by nobody`
      : `only ${owner}, who owns ${check}, may waive it`;
  return { kind: 'refused', code: 'wrong-role', because, verdicts: [] };
}

/** A check that its owner let go for this claim. */
export interface Waiver {
  readonly check: string;
  readonly by: string;
  readonly reason: string;
}

/** A run as it counts: with the waivers that took effect. */
export interface JudgedRun {
  readonly run: RunFinding;
  readonly waivers: readonly Waiver[];
}

/**
 * Takes the waivers of the present claim into account. A waived check stays failed; the run passes only where every
 * other check passed and at least one did. What could not be judged is not waived.
 */
export function withWaivers(
  run: RunFinding,
  item: WorkItem,
  world: World,
  criteria: FrozenCriteria,
): JudgedRun {
  const given = freshEvidence(item, 'waiver').filter((e) => e.facts.criteria === criteria.digest);
  const waivers = run.checks.flatMap((check) => waiverFor(check, given, item, world));
  const rest = run.checks.filter(({ id }) => !waivers.some((w) => w.check === id));
  if (run.verdict !== 'fail' || waivers.length === 0 || rest.length === 0) return { run, waivers: [] };
  if (rest.some((c) => c.outcome === 'fail')) return { run, waivers };
  const open = rest.filter((c) => c.outcome !== 'pass');
  if (open.length > 0) {
    const cause = open.map((c) => `${c.id}: ${c.explanation}`).join('; ');
    return { run: { ...run, verdict: 'indeterminate', cause }, waivers };
  }
  const cause = `${rest.length} of ${run.checks.length} checks passed, ${waivers.length} waived`;
  return { run: { ...run, verdict: 'pass', cause }, waivers };
}

function waiverFor(
  { id, outcome, owner }: CheckFinding,
  given: readonly Evidence[],
  item: WorkItem,
  world: World,
): readonly Waiver[] {
  if (outcome !== 'fail' || owner === '') return [];
  const own = given.findLast((e) => e.facts.check === id && e.by === owner);
  if (own === undefined || !standsOutside(own, item, world)) return [];
  if (actorOf(world, owner).kind === 'human' && own.independence !== 'human') return [];
  return [{ check: id, by: own.by, reason: String(own.facts.reason ?? '') }];
}

import { ENGINE } from '../kernel/actor.ts';
import type { Command } from '../kernel/command.ts';
import type { World } from '../kernel/context.ts';
import { decide } from '../kernel/decide.ts';
import type { Facts } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve.ts';
import { record } from '../kernel/record.ts';
import { countedBefore, doubtOf } from './base.ts';
import type { Caller } from './caller.ts';
import { checkpointIfDue } from './checkpoint.ts';
import { readConfig } from './config.ts';
import type { FrozenCriteria } from './criteria.ts';
import { type Decided, type Outcome, plain, walk } from './execute.ts';
import { gateOf } from './gates.ts';
import { type Handle, loadItem } from './handle.ts';
import { criteriaOf } from './judged-by.ts';
import { canSign, requireSigner } from './keys.ts';
import { giveBack, holding, type Leased, takeJob } from './lease.ts';
import {
  badCriteria,
  contradicts,
  held,
  mayAsk,
  NOT_THIS_CLAIM,
  noCriteria,
  notHere,
  notVerified,
} from './not-verified.ts';
import { type PackedRun, packRun } from './pack.ts';
import { nowOf, type Ports, type RunFinding, type RunQuestion } from './ports.ts';
import { questionOf } from './run-question.ts';
import { verifiedLinks } from './verified-commits.ts';
import { withWaivers } from './waiver.ts';
import { VERIFY } from './work.ts';
import { readWorld } from './world.ts';

export interface VerifyRequest {
  readonly ref: string;
  /** What whoever asks saw; kept with the move, and proof of nothing. */
  readonly notes?: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** What a verification came to. `run` is undefined when nothing was run. */
export interface Verified {
  readonly outcome: Outcome;
  readonly run: RunFinding | undefined;
  readonly pack: PackedRun | undefined;
}

/**
 * Asks for a verification and lets the runner decide (2PC-63): load the frozen criteria, run them on a clean
 * checkout of the claimed commit, seal the proof pack, update the item. Who may not ask is refused before
 * anything runs; what could not be run leaves the item as it is. Throws NO_CREDENTIAL before anything
 * runs when the result could not be signed.
 */
export async function verify(ports: Ports, caller: Caller, request: VerifyRequest): Promise<Verified> {
  const before = await loadItem(ports, request.ref);
  const refusedFirst = await mayAsk(ports, caller, before);
  if (refusedFirst !== undefined) return without(refusedFirst);
  ports.evidence.assertShared();
  await requireSigner(ports, 'runner');
  ports.runner.prepare();
  const steps: { step: string; at: string }[] = [{ step: 'load criteria', at: nowOf(ports) }];
  const found = await criteriaOf(ports, before);
  if (found === undefined) return without(await notVerified(ports, caller, before, noCriteria(before)));
  const { criteria, text, parsed } = found;
  if (parsed.problems.length > 0)
    return without(await notVerified(ports, caller, before, badCriteria(before, criteria, parsed.problems)));
  const lacking = parsed.runsOn.filter((label) => !ports.runner.labels.includes(label));
  if (lacking.length > 0) return without(await notVerified(ports, caller, before, notHere(before, lacking)));
  if (caller.proof !== undefined && caller.proof.digest !== before.item.subjects.commit?.digest) {
    return without(await notVerified(ports, caller, before, NOT_THIS_CLAIM));
  }
  const lease = await takeJob(ports, before);
  if (lease.kind === 'held') return without(await notVerified(ports, caller, before, held(lease.job)));
  const asked: Asked = { before, criteria, text, steps, requiresQuality: parsed.requiresQuality };
  const settled = holding(ports, lease);
  try {
    return await runAndRecord(ports, caller, request, asked, settled);
  } finally {
    await giveBack(ports, await settled());
  }
}

interface Asked {
  readonly before: Handle;
  readonly criteria: FrozenCriteria;
  readonly text: Buffer;
  readonly steps: { step: string; at: string }[];
  readonly requiresQuality: boolean;
}

async function runAndRecord(
  ports: Ports,
  caller: Caller,
  request: VerifyRequest,
  asked: Asked,
  settled: () => Promise<Leased>,
): Promise<Verified> {
  const { before, criteria, steps, requiresQuality } = asked;
  const { world } = await readWorld(ports, before.protocol, before.item.list);
  const found = await runCriteria(ports, request, asked, world);
  const lease = await settled();
  const contradiction = contradicts(found);
  if (contradiction !== undefined) return without(await notVerified(ports, caller, before, contradiction));
  // The roster may have changed meanwhile; the record is judged by the one of its own moment.
  const { world: now } = await readWorld(ports, before.protocol, before.item.list);
  const { run, waivers } = withWaivers(found, before.item, now, criteria);
  const pack = packRun(ports, { handle: before, caller, criteria, run, waivers, steps, world: now });
  const outcome = await walk(ports, caller, {
    ...plain,
    ref: before.id,
    name: commandFor(before, run),
    reason: reasonFor(run, pack),
    arguments: request.notes ? { notes: request.notes } : {},
    confirms: ({ item }) => item.subjects.commit?.digest ?? '',
    decide: async (handle, present, command) => {
      // Another item may have passed with the same commit while the checks ran.
      const counted = run.verdict === 'pass' ? await countedBefore(ports, handle) : '';
      if (counted !== '') return { kind: 'refused', code: 'gate-closed', because: counted, verdicts: [] };
      return judge(before, handle, command, present, run, pack, requiresQuality);
    },
    extend: (write, after) => {
      write.links.push(...verifiedLinks(after, write.touched.get(after.id)?.events ?? []));
      write.fences.push({ topic: VERIFY, key: lease.key, token: lease.fence, finish: true });
    },
  });
  // The verification stands without it; doctor tells of the missing key and how far back the last checkpoint is.
  if (await canSign(ports, 'checkpoint')) await checkpointIfDue(ports);
  return { outcome, run, pack };
}

const without = (outcome: Outcome): Verified => ({ outcome, run: undefined, pack: undefined });

/** The command of the gate that a run comes to; a pass is the one asked for where the gate knows no failure. */
function commandFor(handle: Handle, { verdict }: RunFinding): string {
  const gate = gateOf(handle);
  return (verdict === 'fail' ? gate?.fail : '') || (gate?.pass ?? 'verify');
}

/** What is kept as the reason of the move that a run drives. */
const reasonFor = ({ verdict }: RunFinding, { failures, path }: PackedRun): string =>
  verdict === 'fail' ? `the checks failed: ${failures.join('; ')}` : `the checks passed: ${path}`;

async function runCriteria(
  ports: Ports,
  request: VerifyRequest,
  { before, criteria, text, steps }: Asked,
  world: World,
): Promise<RunFinding> {
  steps.push({ step: 'run checks', at: nowOf(ports) });
  const { signal, onProgress } = request;
  const question = await questionOf(ports, before, world, { criteria: text, criteriaPath: criteria.path });
  const doubt =
    (await countedBefore(ports, before)) ||
    (await doubtOf(ports, before, await readConfig(ports), question.base, criteria));
  const run =
    doubt === '' ? await runThere(ports, { ...question, signal, onProgress }) : notRun(doubt, nowOf(ports));
  steps.push({ step: 'generate proof pack', at: nowOf(ports) });
  return run;
}

/** Git may have thrown away a claimed commit that no branch holds: the item can be given back then. */
async function runThere(ports: Ports, question: RunQuestion): Promise<RunFinding> {
  try {
    return await ports.runner.run(question);
  } catch (error) {
    const { commit } = question;
    if (ports.git.isAncestor(commit, commit)) throw error;
    return notRun(
      `the claimed commit ${commit.slice(0, 12)} is not in this repository any more`,
      nowOf(ports),
    );
  }
}

/** What is recorded where a run would say nothing. */
const notRun = (cause: string, at: string): RunFinding => ({
  ...{ tier: '', verdict: 'indeterminate', cause, startedAt: at, endedAt: at, environment: {}, checks: [] },
});

/** Evidence of the run, and the move that it drives, decided on the item as it is now. */
function judge(
  before: Handle,
  now: Handle,
  command: Command,
  world: World,
  run: RunFinding,
  pack: PackedRun,
  qualityDemanded: boolean,
): Decided {
  const moved = now.item.attempt !== before.item.attempt || subjectOf(now) !== subjectOf(before);
  if (moved) {
    const because = 'the item was claimed anew while its checks ran: this result is about another attempt';
    return { kind: 'refused', code: 'gate-closed', because, verdicts: [] };
  }
  const engine = { ...command, actor: ENGINE };
  const given = (kind: string, outcome: string, facts: Facts) =>
    record(now.protocol, now.item, engine, { kind, outcome, facts, asker: command.actor }, world);
  const recorded = given(pack.kind, pack.outcome, pack.facts);
  if (recorded.kind === 'refused' || run.verdict === 'indeterminate') return recorded;
  // Criteria may ask for quality validation where the item did not (C2-04).
  const demand = qualityDemanded ? given('quality-demand', 'yes', {}) : { ...recorded, events: [] };
  if (demand.kind === 'refused') return demand;
  const evidence = [...recorded.events, ...demand.events];
  const item = evidence.reduce((i, e) => evolve(now.protocol, i, e), now.item);
  // A gate that knows no failure keeps the record alone.
  if (run.verdict === 'fail' && gateOf(now)?.fail === '') return { ...recorded, events: evidence };
  const decision = decide(now.protocol, item, command, world);
  if (decision.kind === 'refused') return decision;
  return { ...decision, events: [...evidence, ...decision.events] };
}

const subjectOf = ({ item }: Handle) => item.subjects.commit?.generation;

import { ENGINE } from '../kernel/actor.ts';
import type { Command } from '../kernel/command.ts';
import { decide, type Refused } from '../kernel/decide.ts';
import { evolve } from '../kernel/evolve.ts';
import { record } from '../kernel/record.ts';
import { unsatisfied, type Verdict } from '../kernel/verdict.ts';
import type { Job } from '../store/store.ts';
import type { Caller } from './caller.ts';
import type { FrozenCriteria } from './criteria.ts';
import { adoption, shortOf } from './criteria-hint.ts';
import { type Outcome, refusal } from './execute.ts';
import { gateOf } from './gates.ts';
import type { Handle } from './handle.ts';
import { nowOf, type Ports, type RunFinding } from './ports.ts';
import { beyondToken } from './reach.ts';
import { isStranded, NOTHING_FINISHED } from './stranded.ts';
import { readWorld } from './world.ts';

/** A refusal of the table, or of the work queue: somebody else is at it. */
export type Reason = Refused | (Omit<Refused, 'code'> & { readonly code: 'conflict' });

/** The refusal that this caller would meet whatever the run finds; undefined when asking is allowed. */
export async function mayAsk(ports: Ports, caller: Caller, handle: Handle): Promise<Outcome | undefined> {
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  // Where nothing is to be verified, it is the pass of the protocol's gate that does not lead out of there.
  const { pass = 'verify' } = gateOf(handle) ?? handle.protocol.gates[0] ?? {};
  const command = { ...commandOf(ports, caller, pass), reason: 'asked' };
  const barred = beyondToken(caller, handle);
  if (barred !== undefined) return refusal(ports, handle, command, world, barred);
  const imagined = record(
    handle.protocol,
    handle.item,
    { ...command, actor: ENGINE },
    passing(caller),
    world,
  );
  const item =
    imagined.kind === 'accepted'
      ? imagined.events.reduce((i, e) => evolve(handle.protocol, i, e), handle.item)
      : handle.item;
  const decision = decide(handle.protocol, item, command, world);
  // Whoever may not ask hears that first; whoever may hears why there is nothing to ask for.
  if (
    gateOf(handle) &&
    isStranded(handle) &&
    (decision.kind === 'accepted' || decision.code !== 'wrong-role')
  )
    return refusal(ports, handle, command, world, NOTHING_CLAIMED);
  if (decision.kind === 'accepted') return undefined;
  return refusal(ports, handle, command, world, withKnownText(decision, handle));
}

/** The seed gives this one refusal word for word (2PC-74). */
function withKnownText(refused: Refused, handle: Handle): Refused {
  if (refused.code !== 'wrong-role' || handle.protocol.name !== 'two-phase') return refused;
  return { ...refused, because: 'Only verification-agent can mark tasks as verified' };
}

const passing = (caller: Caller) => ({
  kind: 'proof-pack',
  outcome: 'PASSED',
  facts: {},
  asker: caller.actor,
});

function commandOf(ports: Ports, { actor, proof }: Caller, name: string): Command {
  return { id: '', name, actor, at: nowOf(ports), reason: '', arguments: {}, proof };
}

/** Records why nothing was run, and answers with what helps. */
export async function notVerified(
  ports: Ports,
  caller: Caller,
  handle: Handle,
  reason: Reason,
): Promise<Outcome> {
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  return refusal(ports, handle, commandOf(ports, caller, 'verify'), world, reason);
}

export function held(job: Job | undefined): Reason {
  const until = job === undefined ? '' : ` (${job.owner}, until ${job.leaseUntil})`;
  return {
    kind: 'refused',
    code: 'conflict',
    because: `a verification of this item is running${until}`,
    verdicts: [],
  };
}

/** The checks ask for what this machine is not said to have: nothing was run, and the item waits for one that has it. */
export function notHere({ display }: Handle, lacking: readonly string[]): Refused {
  const named = lacking.join(', ');
  const because = `the checks of ${display} run on machines that are labelled ${named}, and this one is not`;
  const labels = lacking.map((label) => `--label ${label}`).join(' ');
  return errorRefusal(because, `on such a machine run: countersign work ${labels}`);
}

export function noCriteria({ item }: Handle): Refused {
  const because = 'there are no completion criteria on the base commit';
  const name = String(item.facts.criteria ?? 'default');
  const branch = String(item.facts.default_branch ?? '');
  const pushed = branch.startsWith('refs/remotes/')
    ? ` and push it, as work is measured against ${shortOf(branch)}`
    : '';
  return errorRefusal(
    because,
    `commit .countersign/criteria/${name}.yaml${pushed}, then ${adoption({ item })}`,
  );
}

/** A block names what failed, and a pass has nothing that did not: a run that says otherwise is worth nothing (2PC-67). */
export function contradicts({ verdict, checks }: RunFinding): Reason | undefined {
  const failed = checks.filter((c) => c.outcome === 'fail').length;
  const passed = checks.filter((c) => c.outcome === 'pass').length;
  const sound =
    verdict === 'fail' ? failed > 0 : verdict !== 'pass' || (passed > 0 && passed === checks.length);
  if (sound) return undefined;
  const because = `the runner says ${verdict} of ${checks.length} checks, of which ${passed} passed and ${failed} failed`;
  return errorRefusal(because, 'ask for the verification again; if it stays so, it is a defect');
}

export function badCriteria(
  handle: Handle,
  { path, commit }: FrozenCriteria,
  problems: readonly string[],
): Refused {
  const because = `${path} at ${commit.slice(0, 12)} cannot be used: ${problems.slice(0, 5).join('; ')}`;
  return errorRefusal(because, `mend and commit them, then ${adoption(handle)}`);
}

function errorRefusal(because: string, fix: string): Refused {
  const verdict: Verdict = { ...unsatisfied('criteria', because, fix), status: 'error' };
  return { kind: 'refused', code: 'gate-closed', because, verdicts: [verdict] };
}

const NOTHING_CLAIMED: Refused = {
  kind: 'refused',
  code: 'gate-closed',
  because: NOTHING_FINISHED.because,
  verdicts: [NOTHING_FINISHED],
};

export const NOT_THIS_CLAIM: Reason = {
  kind: 'refused',
  code: 'wrong-role',
  because: 'the confirmation was given for another commit',
  verdicts: [],
};

export const NOT_A_PERSON: Reason = {
  kind: 'refused',
  code: 'wrong-role',
  because: 'only a person can confirm as a person',
  verdicts: [],
};

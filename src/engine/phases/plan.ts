import { decide } from '../../kernel/decide.ts';
import { unasked } from '../../kernel/standing.ts';
import type { Caller } from '../caller.ts';
import { readConfig } from '../config.ts';
import { type Draft, touch } from '../draft.ts';
import { EngineError } from '../engine-error.ts';
import { type Handle, loadById } from '../handle.ts';
import { NEW_ITEM, type NewItem } from '../new-item.ts';
import { noteOf } from '../note-of.ts';
import { openItems } from '../open.ts';
import { tieToWhole } from '../part-of.ts';
import type { Ports } from '../ports.ts';
import { readWorld } from '../world.ts';
import { agentInForce } from './agent-settings.ts';
import { branchToBuildOn } from './build-on.ts';
import { link } from './links.ts';
import { phaseSettings } from './settings.ts';

/** A task in phases as somebody wants it. */
export interface PhasePlan {
  readonly title: string;
  /** Names of the phases in their order, each with what it has to come to ('' = its name says it). */
  readonly phases: readonly { readonly name: string; readonly criteria: string }[];
  readonly list: string;
  /** Commit that the work begins from, '' = the default branch. */
  readonly from: string;
  /** Task below which it stands, '' for none. */
  readonly partOf: string;
}

export interface Planned {
  readonly task: Handle;
  readonly phases: readonly Handle[];
}

/**
 * Opens a task with its phases, and starts it: the first phase is active at once, the others wait (PHASE-05, PHASE-11). How it
 * is reviewed is pinned with it. Throws BAD_INPUT, BAD_CONFIG, NO_CREDENTIAL.
 */
export async function planPhases(ports: Ports, caller: Caller, plan: PhasePlan): Promise<Planned> {
  if (plan.phases.length === 0)
    throw new EngineError('BAD_INPUT', 'the task has no phase', 'name each: --phase NAME');
  const config = await readConfig(ports);
  const settings = phaseSettings(config);
  // Told now, and not when the first reviewer is to be started.
  for (const name of [settings.agent, ...settings.reviewer_agents]) await agentInForce(ports, name);
  const from = plan.from === '' && plan.partOf !== '' ? await branchToBuildOn(ports, plan.partOf) : plan.from;
  const base = baseOf(ports, from, config.defaultBranch);
  const common = { ...NEW_ITEM, list: plan.list };
  const items: NewItem[] = [
    { ...common, title: plan.title, protocol: 'phased-task', facts: { base } },
    ...plan.phases.map(({ name, criteria }, n) => ({
      ...common,
      title: name,
      protocol: 'phase',
      settings: { auto_submit: settings.auto_submit },
      facts: { base, comes_to: criteria, order: n + 1, of: plan.phases.length, phases: { ...settings } },
    })),
  ];
  const opened = await openItems(ports, caller, items, async (write, all) => {
    await tieTogether(ports, caller, write, all);
    const [task] = all;
    assertFree(ports, settings.branch.replaceAll('{task}', task?.display ?? ''), base);
    if (plan.partOf === '' || task === undefined) return;
    await branchToBuildOn(ports, plan.partOf);
    await tieToWhole(ports, write, task, plan.partOf);
  });
  const [task, ...phases] = await Promise.all(opened.map(({ id }) => loadById(ports, id)));
  if (task === undefined) throw new Error('a task that was opened is not there');
  return { task, phases };
}

/**
 * A branch that is there before its task is nobody's of this store: numbers begin anew in one that is made anew, and what an
 * earlier one left would be put before reviewers as this one's. Throws BAD_INPUT.
 */
function assertFree({ workspace }: Ports, branch: string, base: string): void {
  const head = workspace.commitOf(`refs/heads/${branch}`);
  if (head === '' || head === base) return;
  throw new EngineError(
    'BAD_INPUT',
    `there is a branch ${branch} already, at ${head.slice(0, 12)}, and the task that is to be built on it is yet to be planned`,
    `put it aside, and plan again: git branch -m ${branch} ANOTHER-NAME`,
  );
}

function baseOf(ports: Ports, from: string, branch: string): string {
  const { head, defaultHead } = ports.git.heads(branch);
  const { commit: base, fix } = from === '' ? { commit: defaultHead || head } : ports.git.namedCommit(from);
  if (base !== '') return base;
  throw new EngineError(
    'BAD_INPUT',
    from === '' ? 'there is no commit to begin from' : `there is no commit ${from} here`,
    fix ?? 'commit something first, or name a commit: --from COMMIT',
  );
}

/** The task knows its first phase, each phase the next one and its task; then the task is started. */
async function tieTogether(
  ports: Ports,
  caller: Caller,
  write: Draft,
  [task, ...phases]: readonly Handle[],
): Promise<void> {
  const [first] = phases;
  if (task === undefined || first === undefined) return;
  const by = caller.actor.id;
  for (const [n, phase] of phases.entries()) {
    link(write, phase, 'task', task.id, { by, facts: { task: task.display } });
    const next = phases[n + 1];
    if (next !== undefined) link(write, phase, 'next', next.id, { by });
    const policy = phase.protocol.policies.find(({ tell }) => tell === 'task');
    if (policy !== undefined)
      touch(write, current(write, task), [noteOf(current(write, phase), policy, write.at)]);
  }
  const begun = link(write, task, 'first', first.id, { by });
  const { world } = await readWorld(ports, task.protocol, task.item.list);
  const command = { ...unasked(write.at), name: 'start', actor: caller.actor, proof: caller.proof };
  const decision = decide(begun.protocol, begun.item, command, world);
  if (decision.kind === 'refused') throw new EngineError('NO_CREDENTIAL', decision.because);
  touch(write, begun, decision.events);
}

const current = (write: Draft, handle: Handle): Handle => write.touched.get(handle.id)?.handle ?? handle;

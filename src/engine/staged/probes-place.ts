import { actorsOf } from '../../identity/roster.ts';
import { shellWord } from '../../kernel/single-quoted.ts';
import { type Gatherer, type Look, lacking, seen } from '../gather/looked.ts';
import { readRoster } from '../roster.ts';
import { type Invocation, invocationsOf, modeIn } from './invocations.ts';
import { openInterruption } from './looks.ts';
import { assess } from './risk.ts';
import { recoveryFor } from './runs.ts';
import { RISKS } from './settings.ts';
import { agentsOf, holdingOf, type TaskView, viewTask } from './task.ts';
import { taskNameOf } from './task-name.ts';

const VIEWS = new WeakMap<Look, Promise<TaskView>>();

/** The task around an item, looked at once for all that one step asks about. */
export function viewOf(look: Look): Promise<TaskView> {
  const { ports, handle, request } = look;
  const view = VIEWS.get(look) ?? viewTask(ports, taskNameOf(handle), request.session);
  VIEWS.set(look, view);
  return view;
}

/** The session that asks holds the task (PROTO-97, PROTO-219). Which taking it was goes with the move, as the fence. */
export const taskLease: Gatherer = async (look) => {
  const { lease } = await viewOf(look);
  const { holder } = lease;
  const { session } = look.request;
  const found =
    session === ''
      ? lacking('no session is named', 'name it with --session ID, or in COUNTERSIGN_SESSION')
      : holder === undefined
        ? lacking('nobody holds the task', `countersign task start ${taskNameOf(look.handle)}`)
        : holdingOf(lease, session) === 'own' && holder.item === look.handle.id
          ? seen(`session ${session} holds it, for the ${holder.token}. time`)
          : lacking(
              `the task is held by session ${holder.session} (${holder.actor}), not by ${session}`,
              'wait, or take other work',
            );
  return { probes: { 'task-lease': found }, facts: { session, lease: holder?.token ?? 0 } };
};

/** Where the caller stands, looked at and not presumed (PROTO-88, PROTO-89, PROTO-157). */
export const inWorktree: Gatherer = async (look) => {
  const { layout } = await viewOf(look);
  const { here } = look.ports.workspace;
  const found =
    here === layout.code
      ? seen(`it is asked from ${here}`)
      : lacking(`it is asked from ${here}, not from ${layout.code}`, `cd ${shellWord(layout.code)}`);
  return { probes: { 'in-worktree': found }, facts: { cwd: here } };
};

export const taskWorktree: Gatherer = async (look) => {
  const { hasWorktree, layout } = await viewOf(look);
  const found = hasWorktree
    ? seen(`git knows ${layout.code}`)
    : lacking(`git knows no worktree ${layout.code}`, 'reclassify, or start the task anew');
  return { probes: { 'task-worktree': found } };
};

/** The worktrees of all agents that are named so far (CP-26, PROTO-150, PROTO-222). */
export const agentWorktrees: Gatherer = async (look) => {
  const { layout, worktrees } = await viewOf(look);
  const agents = agentsOf(look.handle);
  const missing = agents.filter((agent) => !worktrees.has(layout.agentCode(agent)));
  const needed = look.handle.item.state !== 'INIT';
  const found =
    agents.length === 0 && needed
      ? lacking('no agent is named', 'assess the task: risk and agents')
      : missing.length === 0
        ? seen(`${agents.length} agents have their worktrees`)
        : lacking(
            `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no worktree: ${missing.map((agent) => layout.agentCode(agent)).join(', ')}`,
            `countersign task worktrees ${layout.task}`,
          );
  return { probes: { 'agent-worktrees': found } };
};

/** The task is in the list, as it was when it was started (PROTO-85, PROTO-42). */
export const todoEntryFits: Gatherer = async (look) => {
  const view = await viewOf(look);
  const { entry, settings, layout } = view;
  if (look.request.command === 'validate') return { probes: { 'todo-entry': doneTogether(look, view) } };
  const known = String(look.handle.item.facts.entry ?? '');
  const found =
    entry === undefined
      ? lacking(
          `${settings.todo} has no entry ${layout.task}`,
          `write one with ${settings.entryFields.join(', ')}`,
        )
      : entry.digest === known
        ? seen(`${settings.todo} has the entry, unchanged`)
        : lacking(
            `the entry in ${settings.todo} was changed since the task was started`,
            `put it back as it was, or a person has it begun anew: countersign task cancel ${layout.task} --reason WHY`,
          );
  return { probes: { 'todo-entry': found } };
};

/** The list is changed together with the work, in the one commit that lands (PROTO-239, PROTO-240). */
function doneTogether({ ports, handle }: Look, { settings, layout }: TaskView) {
  const head = ports.workspace.commitOf(`refs/heads/${layout.branch}`);
  const changed = ports.workspace.changed(String(handle.item.facts.head ?? ''), head);
  if (!changed.includes(settings.todo))
    return lacking(
      `${settings.todo} is as before: what is done and its entry land in one commit`,
      `change the entry of ${layout.task} in ${layout.code}, and commit it there`,
    );
  return changed.length > 1
    ? seen(`${settings.todo} is changed with ${changed.length - 1} files`)
    : lacking(`only ${settings.todo} is changed`, 'merge what the agents built first');
}

/** Risk and agents as they are named: known, registered, and at least one (PROTO-147, PROTO-148, CP-25). */
export const agentsFit: Gatherer = async (look) => {
  const { risk = '', agents = '' } = look.request.arguments;
  const { settings } = await viewOf(look);
  const named = agents
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const fit = await fitOf(look, named, Object.keys(settings.agents));
  const found = !RISKS.some((known) => known === risk)
    ? lacking(`there is no risk ${risk}`, `use ${RISKS.join(', ')}`)
    : named.length === 0
      ? lacking('no agent is named', 'name at least one')
      : fit;
  const patterns = (await assess(look.ports, settings, pathsIn(look.request.reason))).reasons;
  return { probes: { 'agents-fit': found }, facts: { risk, patterns } };
};

/** Words of a reason that are paths: the rules of risk are looked up for them (PROTO-156). */
const pathsIn = (reason: string): readonly string[] =>
  reason.split(/[\s,;]+/).filter((word) => /^[\w.@/-]*[./][\w-]+$/.test(word));

/** Whether agents are known to the project and registered. */
export async function fitOf(look: Look, named: readonly string[], known: readonly string[]) {
  const strange = named.filter((name) => !known.includes(name));
  if (strange.length > 0)
    return lacking(`the project knows no agent ${strange.join(', ')}`, `it knows ${known.join(', ')}`);
  const { roster } = await readRoster(look.ports);
  const able = actorsOf(roster)
    .filter(({ roles }) => roles.includes('stakeholder'))
    .map(({ id }) => id);
  const absent = named.filter((name) => !able.includes(name));
  return absent.length === 0
    ? seen(`${named.join(', ')}`)
    : lacking(
        `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not registered as a stakeholder`,
        `a person runs: countersign actor add ${absent[0]} --role stakeholder`,
      );
}

/** A named agent of the task that may be called once more (PROTO-158, PROTO-209, PROTO-210). */
export const invocable: Gatherer = async (look) => {
  const { agent = '' } = look.request.arguments;
  const view = await viewOf(look);
  const { settings } = view;
  const interruption = await openInterruption(look.ports, look.handle);
  const mode = modeIn(look.handle.item.state);
  const before = invocationsOf(look.handle).filter(
    (one) => one.agent === agent && one.mode === mode && one.isCurrent,
  );
  const found = interruption
    ? lacking(
        `the ${interruption.kind} that came between is not ended`,
        `countersign task recover ${view.layout.task}`,
      )
    : !agentsOf(look.handle).includes(agent)
      ? lacking(`${agent} is no agent of this task`, `its agents are ${agentsOf(look.handle).join(', ')}`)
      : before.some(isDone)
        ? lacking(`${agent} is done with its ${mode}`, 'go on without calling it again')
        : before.length > settings.retries
          ? lacking(
              `${agent} was called ${before.length} times: ${historyOf(before)}`,
              'ask the user what to do: the retries are used up',
            )
          : seen(`${agent} is called for the ${before.length + 1}. time`);
  const directive = recoveryFor(look.ports, look.handle, view)?.directives.find((one) => one.agent === agent);
  const facts = { mode, invocation: before.length + 1, scope: directive?.scope ?? 'same' };
  return { probes: { invocable: found }, facts: { ...facts, ...toReview(look, view, mode) } };
};

/** What whoever is called in a later stage has to read first (PROTO-131, PROTO-132). */
function toReview({ handle, ports }: Look, { layout }: TaskView, mode: string) {
  if (mode === 'synthesis') {
    const paths = agentsOf(handle).map((agent) => layout.report(agent));
    return { review: paths.filter((path) => ports.workspace.readFile(path) !== undefined) };
  }
  if (mode !== 'implementation') return {};
  return { review: [layout.branch, ports.workspace.commitOf(`refs/heads/${layout.branch}`)] };
}

const isDone = ({ status }: Invocation) => status === 'completed';
const historyOf = (before: readonly Invocation[]) =>
  before.map(({ status, error }) => (error === '' ? status : `${status} (${error})`)).join(', ');

import { freshEvidence } from '../../kernel/freshness.ts';
import { shellWord } from '../../kernel/single-quoted.ts';
import type { Handle } from '../handle.ts';
import { gateOfTask } from './gate.ts';
import { modeIn } from './invocations.ts';
import { landsOn, mainBranch, shortOf } from './main-branch.ts';
import { recoveryFor } from './runs.ts';
import { agentsOf, type TaskView } from './task.ts';
import { type At, call, lead, type TaskCall } from './task-call.ts';
import { validatedBy, validatedCommits } from './validated.ts';

/** What leads on when all agents have come to their end. */
const FORWARD: { readonly [state: string]: string } = {
  REQUIREMENTS: 'synthesize',
  IMPLEMENTATION: 'validate',
  REVIEW: 'present',
};

/** States in which agents are called: whoever is to be called, whose word is waited for, and what follows them all. */
export async function byAgents(at: At): Promise<readonly TaskCall[]> {
  const { handle, view, ports } = at;
  const { state } = handle.item;
  if (state === 'REVIEW' && rejected(handle)) return [lead('rework', { reason: 'WHY' })];
  const { layout } = view;
  const head = ports.workspace.commitOf(`refs/heads/${layout.branch}`);
  const calls = await upToDate(at, head);
  if (calls.length > 0) return calls;
  const unmerged = agentsOf(handle).find((agent) => {
    const own = ports.workspace.commitOf(`refs/heads/${layout.agentBranch(agent)}`);
    return own !== '' && !ports.git.isAncestor(own, head);
  });
  if (state === 'IMPLEMENTATION' && unmerged !== undefined) {
    const { commit } = validatedBy(ports, view, unmerged);
    const isSaid = validatedCommits(handle, unmerged).includes(commit);
    // Whoever committed once more says it once more: only that is merged.
    return [isSaid ? lead('merge', { agent: unmerged }) : wordOf(handle, view, unmerged)];
  }
  const command = FORWARD[state] ?? '';
  const { points } = await gateOfTask(ports, at.caller, { task: layout.task, session: at.session, command });
  const first = points.filter(({ passed, name }) => !passed && !PLACE.has(name)).map(({ fix }) => fix);
  return [lead(command, {}, [...new Set(first)].filter((fix) => fix !== '').join(', and '))];
}

/** The calls that are due, and before them: what came back because it did not land is brought together with the main branch. */
async function upToDate(at: At, head: string): Promise<readonly TaskCall[]> {
  const { handle, ports, view } = at;
  const open = openCalls(at);
  const entered = handle.item.steps.findLast(({ from, to }) => from !== to);
  if (entered?.from !== 'COMPLETE' || handle.item.state !== 'IMPLEMENTATION') return open;
  const onto = await landsOn(ports, handle);
  const holds = (commit: string) => commit !== '' && ports.git.isAncestor(onto, commit);
  const branchOf = (agent: string) =>
    ports.workspace.commitOf(`refs/heads/${view.layout.agentBranch(agent)}`);
  if (onto === '' || holds(head)) return open;
  const { conflicts } = ports.workspace.merged(head, onto);
  if (conflicts.length === 0) return [lead('merge', { agent: 'main' }), ...open];
  // Conflicts are an agent's to resolve, in its own tree; once it has, that is merged as any other work.
  if (agentsOf(handle).some((agent) => holds(branchOf(agent)))) return open;
  const main = shellWord(shortOf((await mainBranch(ports, handle)).here));
  const first = `git merge --no-ff ${main}, resolve ${conflicts.slice(0, 3).join(', ')}, and commit`;
  const said = agentsOf(handle).map((agent) => wordOf(handle, view, agent));
  const words = (open.length > 0 ? open : said).map((one) =>
    one.command === 'status' ? { ...one, before: `${first}, where nobody of you has; ${one.before}` } : one,
  );
  return words;
}

/** Where somebody stands is not what is lacking: the call says where. The branch is pushed by the step itself. */
export const PLACE: ReadonlySet<string> = new Set(['in-worktree', 'task-lease', 'pushed', 'state']);

const rejected = (handle: Handle) =>
  freshEvidence(handle.item, 'review').some(
    ({ outcome, by }) => outcome === 'REJECTED' && agentsOf(handle).includes(by),
  );

/** Whom to call, and whose word is waited for; none where every agent has come to its end. */
export function openCalls({ ports, handle, view }: At): readonly TaskCall[] {
  const recovery = recoveryFor(ports, handle, view);
  if (recovery === undefined) return [];
  const { state } = handle.item;
  if (recovery.pattern === 'all') return [backFrom(state)];
  return recovery.directives.flatMap(({ agent, action }): readonly TaskCall[] => {
    if (action === 'none') return [];
    if (action === 'wait') return [wordOf(handle, view, agent)];
    if (action === 'invoke') return [lead(action, { agent })];
    // Put before the user, it goes on as they say.
    if (action === 'escalate') return [lead(action, { agent }), backFrom(state)];
    const isGone = !view.worktrees.has(view.layout.agentCode(agent));
    return [isGone && !FIRST.has(state) ? lead('worktrees') : backFrom(state)];
  });
}

/** States from which the coordinator goes back to CLASSIFIED; from the building on a person decides on the scope. */
const FIRST: ReadonlySet<string> = new Set(['REQUIREMENTS', 'SYNTHESIS']);
const backFrom = (state: string): TaskCall =>
  lead(FIRST.has(state) ? 'reclassify' : 'negotiate', { reason: 'WHY' });

/** What an agent that was called does, and says when it is done. */
function wordOf({ item }: Handle, { layout, settings }: TaskView, agent: string): TaskCall {
  const mode = modeIn(item.state);
  if (mode === 'review')
    return call(
      agent,
      'status',
      { status: 'APPROVED' },
      `read the commit ${item.subjects.commit?.digest ?? ''}; REJECTED with a reason where it is not right`,
      layout.code,
    );
  if (mode === 'implementation')
    return call(
      agent,
      'status',
      { status: 'COMPLETE' },
      `build your part of ${layout.taskMd} and commit it in your worktree; one of you changes the entry in ${settings.todo}`,
      layout.agentCode(agent),
    );
  return call(
    agent,
    'status',
    { status: 'COMPLETE' },
    `write what you need, each demand with an id like REQ-${agent.toUpperCase()}-1, at least ${settings.minReport} bytes`,
    layout.report(agent),
  );
}

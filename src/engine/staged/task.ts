import { basename, dirname, join } from 'node:path';
import type { Step } from '../../kernel/work-item.ts';
import { readConfig } from '../config.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { layoutOf, type TaskLayout, tasksFolder } from './layout.ts';
import { type LeaseRead, readLease, taskLease } from './leases.ts';
import { liveTrees } from './live-trees.ts';
import { type Holding, type Selected, selectTask } from './selection.ts';
import { type StagedSettings, stagedSettings } from './settings.ts';
import { type TodoEntry, todoEntry } from './todo-entry.ts';
import { portsOf, type TreePorts } from './tree-ports.ts';

/** A task by its name, as everything around it stands now. */
export interface TaskView {
  readonly settings: StagedSettings;
  readonly layout: TaskLayout;
  readonly lease: LeaseRead;
  readonly holding: Holding;
  /** Whether git knows the task's worktree; a folder without one is a leftover (CP-06). */
  readonly hasWorktree: boolean;
  /** Paths of all working trees that git knows. */
  readonly worktrees: ReadonlySet<string>;
  /** Ports and scratch names of the task's trees, as far as they have some. */
  readonly ports: readonly TreePorts[];
  readonly hasLeftover: boolean;
  readonly entry: TodoEntry | undefined;
  readonly selected: Selected;
}

/** Throws BAD_INPUT for what cannot be the name of a task, BAD_CONFIG, DAMAGED. */
export async function viewTask(ports: Ports, task: string, session: string): Promise<TaskView> {
  const { workspace } = ports;
  const asked = stagedSettings(await readConfig(ports));
  // Git tells of trees with links resolved.
  const settings = { ...asked, tasks: real(workspace, tasksFolder(workspace.main, asked)) };
  const layout = layoutOf(workspace.main, settings, task);
  const lease = await readLease(ports, taskLease(task));
  const holding = holdingOf(lease, session);
  const worktrees = liveTrees(ports);
  const hasWorktree = worktrees.has(layout.code);
  const text = workspace.readFile(join(workspace.main, settings.todo))?.toString('utf8') ?? '';
  return {
    ...{ settings, layout, lease, holding, hasWorktree, worktrees },
    ports: await portsOf(ports, { layout, settings, worktrees }),
    hasLeftover: !hasWorktree && workspace.names(layout.folder).length > 0,
    entry: todoEntry(text, task, settings.entryFields),
    selected: selectTask(holding, hasWorktree),
  };
}

/** A folder with links resolved, also one that is not there yet. */
const real = ({ isFolder, resolved }: Ports['workspace'], path: string): string =>
  isFolder(path) ? resolved(path) : join(resolved(dirname(path)), basename(path));

/** No session equals none: an empty name holds nothing. */
export const holdingOf = ({ holder }: LeaseRead, session: string): Holding =>
  holder === undefined ? 'none' : session !== '' && holder.session === session ? 'own' : 'other';

/** The agents of a task, each once, in the order in which they were named. */
export const agentsOf = ({ item }: Pick<Handle, 'item'>): readonly string[] => [
  ...new Set(item.marks.agent ?? []),
];

/** The step that decided on risk and agents last; undefined before that. */
export const assessmentOf = ({ item }: Pick<Handle, 'item'>): Step | undefined =>
  item.steps.findLast(({ command }) => command === 'assess');

/** The risk as it was assessed last; an agent that comes late may raise it (PROTO-141). */
export const riskOf = ({ item }: Pick<Handle, 'item'>): string =>
  item.steps.findLast(({ arguments: { risk = '' } }) => risk !== '')?.arguments.risk ?? '';

export const hasEnded = ({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): boolean =>
  protocol.states[item.state]?.final === true;

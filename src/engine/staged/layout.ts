import { basename, resolve } from 'node:path';
import { EngineError } from '../engine-error.ts';
import type { StagedSettings } from './settings.ts';

/** Where the files of a task lie; all paths are absolute (PROTO-302). */
export interface TaskLayout {
  readonly task: string;
  /** Top of the main working tree. */
  readonly main: string;
  readonly folder: string;
  /** The task's worktree. */
  readonly code: string;
  readonly taskMd: string;
  readonly taskJson: string;
  readonly stateJson: string;
  readonly auditTrail: string;
  readonly planFlag: string;
  readonly branch: string;
  agentCode(agent: string): string;
  agentBranch(agent: string): string;
  status(agent: string): string;
  /** Ports and scratch name, beside the tree of an agent or ('') of the task: in it, git would take it for work. */
  treeEnv(agent: string): string;
  report(agent: string): string;
  /** Where the report was put in older documents (CP-20). */
  olderReport(agent: string): string;
}

const SLUG = /^[a-z0-9][a-z0-9._-]{0,62}$/i;
/** Names that the folder of tasks needs for itself (CP-05), and one that git keeps. */
const RESERVED = ['main', 'locks', 'head'];
/** What git takes for the name of no branch. */
const NO_BRANCH = /\.\.|\.$|\.lock$/i;

export const isTaskName = (name: string): boolean =>
  SLUG.test(name) && !NO_BRANCH.test(name) && !RESERVED.includes(name.toLowerCase());

/** Throws BAD_INPUT for a name that is no folder, or that is taken by the layout itself. */
export function assertTaskName(name: string): void {
  if (isTaskName(name)) return;
  throw new EngineError(
    'BAD_INPUT',
    `${JSON.stringify(name.slice(0, 80))} cannot be the name of a task`,
    `use letters, digits, dots, dashes and underscores, not ${RESERVED.join(' or ')}, and no dot or .lock at its end`,
  );
}

export function tasksFolder(main: string, settings: Pick<StagedSettings, 'tasks'>): string {
  return resolve(main, settings.tasks.replaceAll('{repo}', basename(main)));
}

export function archiveFolder(main: string, settings: Pick<StagedSettings, 'archive'>): string {
  return resolve(main, settings.archive.replaceAll('{repo}', basename(main)));
}

export function layoutOf(main: string, settings: StagedSettings, task: string): TaskLayout {
  assertTaskName(task);
  const folder = resolve(tasksFolder(main, settings), task);
  const at = (path: string) => resolve(folder, path);
  return {
    task,
    main,
    folder,
    code: at('code'),
    taskMd: at('task.md'),
    taskJson: at('task.json'),
    stateJson: at('state.json'),
    auditTrail: at('audit-trail.json'),
    planFlag: at('user-plan-approval-obtained.flag'),
    branch: settings.taskBranch.replaceAll('{task}', task),
    agentCode: (agent) => at(`agents/${agent}/code`),
    agentBranch: (agent) => settings.agentBranch.replaceAll('{task}', task).replaceAll('{agent}', agent),
    status: (agent) => at(`agents/${agent}/status.json`),
    treeEnv: (agent) => at(agent === '' ? 'tree.env' : `agents/${agent}/tree.env`),
    report: (agent) => at(`${task}-${agent}-requirements.md`),
    olderReport: (agent) => at(`${agent}-requirements.md`),
  };
}

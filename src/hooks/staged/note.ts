import { relative } from 'node:path';
import { isImplementation } from '../../engine/staged/built-by.ts';
import { agentsOf } from '../../engine/staged/task.ts';
import { noteTools, type ToolUse } from '../../engine/staged/tool-notes.ts';
import { realOf } from '../guarded.ts';
import { type Asking, type GitChange, isInMain, isInside, isOnMain } from './change.ts';
import type { Change } from './shell-changes.ts';
import type { Standing } from './standing.ts';

/** Most changes of one call that are noted: a line that touches more says no more. */
const MOST = 20;

interface Noted {
  readonly task: string;
  readonly use: ToolUse;
}

/**
 * Puts on record what a call changes of the tasks in stages and of the main working tree, and whether it was refused: so
 * coordination can be told from implementation later, and what was done on main from what its holder did (PROTO-79,
 * PROTO-267, PROTO-272).
 */
export async function noteChanges(
  asking: Asking,
  changes: readonly Change[],
  refused: boolean,
): Promise<void> {
  const noted: Noted[] = [];
  for (const change of changes.slice(0, MOST)) {
    const one = change.kind === 'file' ? await ofFile(asking, change.path) : await ofGit(asking, change);
    if (one !== undefined) noted.push({ ...one, use: { ...one.use, refused } });
  }
  await written(asking, noted);
}

/** The same of a call that launches an agent. */
export async function noteLaunch(asking: Asking, refused: boolean): Promise<void> {
  const { moment } = asking;
  const agent = typeof moment.input.subagent_type === 'string' ? moment.input.subagent_type : '';
  const standing = asking.all.find(({ own }) => own);
  if (standing === undefined) return;
  const { task, handle, view } = standing;
  const folder = agentsOf(handle).includes(agent) ? view.layout.agentCode(agent) : moment.cwd;
  await written(asking, [{ task, use: { ...blank(asking), agent, folder, refused } }]);
}

async function written({ opened, around }: Asking, noted: readonly Noted[]): Promise<void> {
  await noteTools(opened.ports, around.actor, noted);
}

const blank = ({ moment }: Asking): ToolUse => ({
  ...{ session: moment.session, tool: moment.tool, agent: '', path: '', folder: '', command: '' },
  ...{ part: '', main: false, refused: false },
});

async function ofFile(asking: Asking, path: string): Promise<Noted | undefined> {
  const { all, around, opened } = asking;
  const real = realOf(path, around);
  const standing = all.find(({ view }) => isInside(view.layout.folder, real));
  if (standing !== undefined) return ofTask(asking, standing, real);
  if (!isInMain(asking, real)) return undefined;
  const { main } = opened.ports.workspace;
  const use = {
    ...{ ...blank(asking), path: relative(main, real), folder: main, main: true },
    agent: agentBehind(asking, [], ''),
  };
  return { task: ownTask(asking), use };
}

async function ofTask(asking: Asking, { task, handle, view }: Standing, real: string): Promise<Noted> {
  const { layout } = view;
  const [, of = ''] = /^agents\/([^/]+)\/code\//.exec(relative(layout.folder, real)) ?? [];
  const tree = of !== '' ? layout.agentCode(of) : isInside(layout.code, real) ? layout.code : layout.folder;
  const path = relative(tree, real);
  const isPaper = tree === layout.folder;
  const part = !isPaper && (await isImplementation(asking.opened, view, path));
  return {
    task,
    use: {
      ...{ ...blank(asking), path, folder: tree, agent: agentBehind(asking, agentsOf(handle), of) },
      part: part ? 'implementation' : 'coordination',
    },
  };
}

/** A sub-agent goes by its kind, and one that is called otherwise by the worktree that it works in. */
function agentBehind({ moment, around }: Asking, agents: readonly string[], of: string): string {
  if (moment.agent === '') return agents.includes(around.actor) ? around.actor : '';
  return agents.includes(moment.agentType) ? moment.agentType : of || moment.agentType;
}

async function ofGit(asking: Asking, change: GitChange): Promise<Noted | undefined> {
  if (!(await isOnMain(asking, change))) return undefined;
  const folder = realOf(change.folder, asking.around);
  return {
    task: ownTask(asking),
    use: {
      ...{ ...blank(asking), folder, command: change.command, main: true },
      agent: agentBehind(asking, [], ''),
    },
  };
}

/** The task that the session holds; '' for one that holds none. */
const ownTask = ({ all }: Asking): string => all.find(({ own }) => own)?.task ?? '';

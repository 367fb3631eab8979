import { appending } from '../appending.ts';
import { nowOf, type Ports } from '../ports.ts';
import { bodyOf, eventOf } from '../stored.ts';

/** A tool that a session used, or was kept from using, as the hooks of its coding agent saw it (PROTO-267, PROTO-272). */
export interface ToolUse {
  readonly session: string;
  readonly tool: string;
  /** The agent that used it, or that was called by it; '' for whoever coordinates. */
  readonly agent: string;
  /** The file, as the working tree around it names it; '' for none. */
  readonly path: string;
  /** That working tree, or the folder in which an agent works. */
  readonly folder: string;
  /** The command of git, '' for none. */
  readonly command: string;
  /** '' where it is neither. */
  readonly part: 'coordination' | 'implementation' | '';
  /** It is about the main working tree or the main branch, which only their holder changes. */
  readonly main: boolean;
  /** The hooks refused it: it was tried, and not done. */
  readonly refused: boolean;
}

export interface ToolUsed extends ToolUse {
  readonly type: 'tool-used';
  readonly at: string;
  readonly by: string;
}

/** Where the uses of a task are kept; of no task: those of the main working tree. No task can be called main. */
export const toolStream = (task: string) => `tools/${task || 'main'}`;

/** Puts on record which tools were used, those of one call in one write. What the task is does not change by it. */
export async function noteTools(
  ports: Pick<Ports, 'store' | 'newId' | 'clock'>,
  by: string,
  uses: readonly { readonly task: string; readonly use: ToolUse }[],
): Promise<void> {
  const commandId = ports.newId();
  const at = nowOf(ports);
  const appends = [...new Set(uses.map(({ task }) => task))].map((task) => ({
    stream: toolStream(task),
    expected: 'any' as const,
    bodies: uses
      .filter((one) => one.task === task)
      .map(({ use }) => bodyOf({ type: 'tool-used', at, by, ...use }, commandId)),
  }));
  if (appends.length > 0) await ports.store.commit(appending(commandId, ...appends));
}

/** The uses of a task, or with '' those of the main working tree, the oldest first, each with its place in the whole log. */
export async function toolsOf(
  ports: Pick<Ports, 'store'>,
  task: string,
): Promise<readonly (ToolUsed & { readonly position: number })[]> {
  return (await ports.store.read(toolStream(task))).map((stored) => ({
    ...eventOf<ToolUsed>(stored),
    position: stored.position,
  }));
}

/** An entry of `tool_usage` in the seed's shape. */
export function usageOf(used: ToolUsed) {
  const { tool, at, agent, path, folder } = used;
  const note = noteOf(used);
  return {
    tool,
    timestamp: at,
    ...(agent === '' ? {} : { agent_name: agent }),
    ...(path === '' ? {} : { file_path: path }),
    ...(folder === '' ? {} : { working_dir: folder }),
    ...(note === '' ? {} : { note }),
  };
}

function noteOf({ command, part, main, refused }: ToolUsed): string {
  return [
    ...(command === '' ? [] : [`git ${command}`]),
    ...(main ? ['main working tree'] : []),
    ...(part === '' ? [] : [part === 'coordination' ? 'coordination (non-implementation)' : part]),
    ...(refused ? ['refused'] : []),
  ].join('; ');
}

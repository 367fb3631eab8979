import { resolve } from 'node:path';
import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { messagesIn, type TranscriptMessage } from './transcript.ts';

/** How many tools a session called in each message up to the end of INIT, and what it read one by one (PROTO-91 to PROTO-94). */
export interface ToolCalls {
  /** Messages with a call in them. */
  readonly messages: number;
  readonly calls: number;
  /** Rounded to two places, 0 without a message. */
  readonly average: number;
  /** Messages with fewer calls than the settings want, by their ids. */
  readonly below: readonly string[];
  /** Advice, and no finding: how somebody works is no condition for what comes of it (CP-38). */
  readonly warnings: readonly string[];
}

/** Measures a transcript of the session that took a task up. Nothing is put on record. Throws BAD_INPUT for a file that is none. */
export async function toolCallsOf(ports: Ports, task: string, file: string): Promise<ToolCalls> {
  const path = resolve(ports.workspace.here, file);
  const text = ports.workspace.readFile(path)?.toString('utf8');
  if (text === undefined)
    throw new EngineError('BAD_INPUT', `${path} cannot be read`, 'name the transcript of the session');
  const { item } = await taskItem(ports, task);
  const view = await viewTask(ports, task, '');
  const until = item.steps.find(({ from, to }) => from === 'INIT' && to !== 'INIT')?.at ?? '';
  const told = messagesIn(text).filter(({ at }) => until === '' || at === '' || at <= until);
  return measured(told, view, (name, pattern) => ports.runner.matches(name, pattern), ports.workspace.main);
}

type Matches = (path: string, pattern: string) => Promise<boolean>;

async function measured(
  told: readonly TranscriptMessage[],
  view: TaskView,
  matches: Matches,
  main: string,
): Promise<ToolCalls> {
  const { least, configuration, architecture } = view.settings.toolCalls;
  const calls = told.reduce((sum, one) => sum + one.calls.length, 0);
  const average = told.length === 0 ? 0 : Math.round((100 * calls) / told.length) / 100;
  const below = told.filter((one) => one.calls.length < least).map(({ id }) => id);
  const read = told.map((message) => readBy(message, view, main));
  const among = (names: readonly string[], patterns: readonly string[]) => chosen(names, patterns, matches);
  const configured = await Promise.all(read.map((names) => among(names, configuration)));
  const designed = await Promise.all(read.map((names) => among(names, architecture)));
  const built = await Promise.all(
    read.map(async (names, n) => {
      const others = names.filter((name) => !(designed[n] ?? []).includes(name));
      return others.length - (await among(others, view.settings.documents)).length;
    }),
  );
  const alone = designed.filter((names, n) => names.length > 0 && built[n] === 0).flat();
  const apart = configured.filter((names) => names.length > 0);
  return {
    ...{ messages: told.length, calls, average, below },
    warnings: [
      ...(told.length > 0 && average < least
        ? [`${average} calls for each message, ${least} are advised`]
        : []),
      ...(below.length > 0
        ? [`${below.length} of ${told.length} messages have fewer than ${least} calls`]
        : []),
      ...(readsBoth(told, view)
        ? []
        : [`${view.settings.todo} and the lock of the task were not read in one message`]),
      ...(apart.length > 1
        ? [`configuration was read in ${apart.length} messages: ${apart.flat().join(', ')}`]
        : []),
      ...(alone.length > 0 ? [`read without the files that they are about: ${alone.join(', ')}`] : []),
    ],
  };
}

async function chosen(
  names: readonly string[],
  patterns: readonly string[],
  matches: Matches,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names)
    for (const pattern of patterns)
      if (!found.includes(name) && (await matches(name, pattern))) found.push(name);
  return found;
}

/** Files of a message below one of the worktrees, relative to it. */
function readBy({ calls }: TranscriptMessage, { layout }: TaskView, main: string): readonly string[] {
  const below = (path: string) => [layout.code, main].find((tree) => path.startsWith(`${tree}/`));
  return calls.flatMap(({ path }) => {
    const tree = below(path);
    return path === '' || (path.startsWith('/') && tree === undefined)
      ? []
      : [tree === undefined ? path : path.slice(tree.length + 1)];
  });
}

/** The list and the lock in one message; the check of a task looks at both by itself. */
const readsBoth = (told: readonly TranscriptMessage[], { settings, layout }: TaskView): boolean =>
  told.length === 0 ||
  told.some(({ calls }) => {
    const names = (wanted: string) =>
      calls.some(({ path, line }) => path.endsWith(wanted) || line.includes(wanted));
    const checks = calls.some(
      ({ tool, line }) => tool.endsWith('task_check') || /\btask\b.*\bcheck\b/.test(line),
    );
    return checks || (names(settings.todo) && names(`${layout.task}/task.json`));
  });

import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { type Entry, logOfTask, readTaskLog, type Unwritten } from './task-log.ts';
import { taskNameOf } from './task-name.ts';

/** What a look found, one thing at a time. */
export interface Looked {
  readonly name: string;
  readonly passed: boolean;
  readonly because: string;
}

/** Why a gate was judged (PROTO-229). */
export type Trigger = 'by-hand' | 'hook' | 'transition' | 'resume' | 'audit';
/** Those that somebody names; the others are the engine's own. */
export const NAMED_TRIGGERS = ['by-hand', 'hook'] as const satisfies readonly Trigger[];

/** What may come between the calls of agents (PROTO-162). */
export const INTERRUPTIONS = ['audit', 'question', 'priority', 'command'] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

interface Event extends Entry {
  readonly session: string;
}

export interface GateRun extends Event {
  readonly type: 'gate-judged';
  readonly command: string;
  readonly trigger: Trigger;
  readonly passed: boolean;
  readonly points: readonly Looked[];
}

export interface Interrupted extends Event {
  readonly type: 'task-interrupted';
  readonly kind: Interruption;
  readonly reason: string;
  readonly state: string;
  /** Whoever had not come to an end when it came. */
  readonly pending: readonly string[];
  readonly points: readonly Looked[];
}

export interface Resumed extends Event {
  readonly type: 'task-resumed';
  readonly state: string;
  readonly points: readonly Looked[];
}

export interface Escalated extends Event {
  readonly type: 'task-escalated';
  readonly agent: string;
  /** How each call of the agent ended. */
  readonly history: readonly string[];
}

/** What was approved, together with what was on the main branch by then. */
export interface LandingJudged extends Event {
  readonly type: 'landing-judged';
  readonly commit: string;
  /** Id of the tree of both. */
  readonly tree: string;
  readonly passed: boolean;
}

type TaskEvent = GateRun | Interrupted | Resumed | Escalated | LandingJudged;
export type TaskNote = Unwritten<TaskEvent>;

/** Puts on record what was looked at around a task. */
export const noteOfTask = (ports: Ports, caller: Caller, task: string, note: TaskNote): Promise<void> =>
  logOfTask<TaskEvent>(ports, caller, task, note);

/** All that was put on record around a task, the oldest first. */
export function notesOfTask(ports: Pick<Ports, 'store'>, task: string): Promise<readonly TaskEvent[]> {
  return readTaskLog<TaskEvent>(ports, task);
}

/**
 * The interruption of a task that nobody ended yet; undefined where there is none. What came between a task of the same name, that
 * was begun before, ended with it (PROTO-163).
 */
export async function openInterruption(
  ports: Pick<Ports, 'store'>,
  handle: Pick<Handle, 'item'>,
): Promise<Interrupted | undefined> {
  const last = (await notesOfTask(ports, taskNameOf(handle))).findLast(
    ({ type, at }) => (type === 'task-interrupted' || type === 'task-resumed') && at >= handle.item.openedAt,
  );
  return last?.type === 'task-interrupted' ? last : undefined;
}

/** One of the known words. Throws BAD_INPUT. */
export function oneOf<T extends string>(known: readonly T[], said: string, what: string): T {
  const found = known.find((name) => name === said);
  if (found !== undefined) return found;
  throw new EngineError('BAD_INPUT', `there is no ${what} ${said}`, `known: ${known.join(', ')}`);
}

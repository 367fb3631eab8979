import { appending } from '../appending.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { nowOf, type Ports } from '../ports.ts';
import { bodyOf, eventOf } from '../stored.ts';
import { taskStream } from './feasibility.ts';

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

interface Event {
  readonly at: string;
  readonly by: string;
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

type TaskEvent = GateRun | Interrupted | Resumed | Escalated;
export type TaskNote = TaskEvent extends infer E ? (E extends Event ? Omit<E, 'at' | 'by'> : never) : never;

/** Puts on record what was looked at around a task; what the task is does not change by it. */
export async function noteOfTask(
  ports: Ports,
  { actor }: Caller,
  task: string,
  note: TaskNote,
): Promise<void> {
  const commandId = ports.newId();
  const bodies = [bodyOf({ ...note, at: nowOf(ports), by: actor.id }, commandId)];
  await ports.store.commit(appending(commandId, { stream: taskStream(task), expected: 'any', bodies }));
}

/** All that was put on record around a task, the oldest first. */
export async function notesOfTask(ports: Pick<Ports, 'store'>, task: string): Promise<readonly TaskEvent[]> {
  return (await ports.store.read(taskStream(task))).map((stored) => eventOf<TaskEvent>(stored));
}

/** The interruption that nobody ended yet; undefined where there is none (PROTO-163). */
export async function openInterruption(
  ports: Pick<Ports, 'store'>,
  task: string,
): Promise<Interrupted | undefined> {
  const last = (await notesOfTask(ports, task)).findLast(
    ({ type }) => type === 'task-interrupted' || type === 'task-resumed',
  );
  return last?.type === 'task-interrupted' ? last : undefined;
}

/** One of the known words. Throws BAD_INPUT. */
export function oneOf<T extends string>(known: readonly T[], said: string, what: string): T {
  const found = known.find((name) => name === said);
  if (found !== undefined) return found;
  throw new EngineError('BAD_INPUT', `there is no ${what} ${said}`, `known: ${known.join(', ')}`);
}

import type { Caller } from '../caller.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { TaskView } from './task.ts';

/** One act that leads a task on, before a face gives it the form of a command or a call. */
export interface TaskCall {
  /** `coordinator`, `person`, or the name of an agent. */
  readonly by: string;
  /** Of the table; or one of check, start, list, verify, status, worktrees, merge, land, tidy, escalate, approve, force. */
  readonly command: string;
  /** Words in capitals stand for what only the caller can know. */
  readonly given: { readonly [name: string]: string };
  /** What is done before it, beside the tools; '' where nothing is. */
  readonly before: string;
  /** The file or folder that this is about, '' for none. */
  readonly path: string;
}

/** A task as the way on from it is looked for. */
export interface At {
  readonly ports: Ports;
  readonly caller: Caller;
  readonly handle: Handle;
  readonly view: TaskView;
  readonly session: string;
}

/** A call of anybody. */
export const call = (
  by: string,
  command: string,
  given: TaskCall['given'] = {},
  before = '',
  path = '',
): TaskCall => ({ by, command, given, before, path });
/** A call of whoever coordinates. */
export const lead = (command: string, given: TaskCall['given'] = {}, before = '', path = '') =>
  call('coordinator', command, given, before, path);
/** What only a person does. */
export const person = (command: string, given: TaskCall['given'] = {}) => call('person', command, given);

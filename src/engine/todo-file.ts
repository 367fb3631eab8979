import { canonicalize } from '../attestation/canonical.ts';
import type { Json } from '../kernel/event.ts';
import { EngineError } from './engine-error.ts';
import { assertSound, NEW_ITEM } from './new-item.ts';

export const STATUSES = ['pending', 'in_progress', 'claimed', 'verified', 'blocked', 'completed'] as const;
export type TodoStatus = (typeof STATUSES)[number];
const PHASES = ['implementation', 'verification', 'completion'];
const MOST_TODOS = 10_000;
const LARGEST_TODO = 64 * 1024;

/** A todo of somebody's list, old or extended shape, with everything it said (2PC-36, 2PC-37). */
export interface ImportedTodo {
  readonly content: string;
  readonly status: TodoStatus;
  readonly assignedTo: string;
  readonly whole: { readonly [key: string]: Json };
}

export type TodoFile =
  | { readonly ok: true; readonly todos: readonly ImportedTodo[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads a list of todos: a JSON array, or an object with it under `todos`. Optional fields may be missing; those
 * that are there must be what the format says. Every problem is named, with its place.
 */
export function readTodoFile(bytes: Uint8Array, list: string): TodoFile {
  const parsed = parse(bytes);
  if (typeof parsed === 'string') return { ok: false, problems: [parsed] };
  const problems = parsed.flatMap((value, i) => problemsOf(value, list).map((p) => `todo ${i + 1}: ${p}`));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, todos: parsed.map((value) => todoFrom(value as ImportedTodo['whole'])) };
}

function todoFrom(whole: ImportedTodo['whole']): ImportedTodo {
  const { content, status, assigned_to: assigned } = whole;
  return {
    content: String(content).trim(),
    status: status as TodoStatus,
    assignedTo: typeof assigned === 'string' ? assigned : '',
    whole,
  };
}

function parse(bytes: Uint8Array): readonly unknown[] | string {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const todos = isTable(value) ? value.todos : value;
    if (!Array.isArray(todos)) return 'the file is neither a JSON array nor an object with an array "todos"';
    return todos.length <= MOST_TODOS
      ? todos
      : `the list has ${todos.length} todos, at most ${MOST_TODOS} fit`;
  } catch (error) {
    return `the file is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function problemsOf(value: unknown, list: string): readonly string[] {
  if (!isTable(value)) return ['is not an object'];
  return [
    ...statusProblem(value.status),
    ...contentProblem(value.content, list),
    ...TEXTS.flatMap((field) => (isTextOrAbsent(value[field]) ? [] : [`${field} is not text`])),
    ...phaseProblem(value.phase),
    ...timeProblems(value),
    ...failureProblems(value.failures, 'failures'),
    ...attemptProblems(value.previous_attempt),
    ...sizeProblem(value),
  ];
}

const TEXTS = ['activeForm', 'claimed_by', 'verified_by', 'proofpack', 'assigned_to'];
const TIMES = ['claimed_at', 'verified_at', 'completed_at'];

/** The vocabulary is closed (2PC-13). */
function statusProblem(status: unknown): readonly string[] {
  if (STATUSES.some((known) => known === status)) return [];
  return [`status ${shown(status)} is none of ${STATUSES.join(', ')}`];
}

function contentProblem(content: unknown, list: string): readonly string[] {
  if (typeof content !== 'string') return ['content is not text'];
  try {
    assertSound({ ...NEW_ITEM, title: content, list });
    return [];
  } catch (error) {
    if (error instanceof EngineError) return [`content: ${error.message}`];
    throw error;
  }
}

/** 2PC-38. */
function phaseProblem(phase: unknown): readonly string[] {
  if (phase === undefined || PHASES.some((known) => known === phase)) return [];
  return [`phase ${shown(phase)} is none of ${PHASES.join(', ')}`];
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));

/** Times are ISO 8601 UTC and in order (2PC-40, 2PC-52). */
function timeProblems(todo: { readonly [key: string]: unknown }): readonly string[] {
  const given = TIMES.filter((field) => todo[field] !== undefined);
  const problems = given
    .filter((field) => !isTime(todo[field]))
    .map((field) => `${field} ${shown(todo[field])} is no time like 2025-10-24T22:05:00Z`);
  if (problems.length > 0) return problems;
  return given.slice(1).flatMap((field, i) => {
    const before = given[i] ?? field;
    const late = Date.parse(String(todo[before])) > Date.parse(String(todo[field]));
    return late ? [`${before} is later than ${field}`] : [];
  });
}

function failureProblems(failures: unknown, field: string): readonly string[] {
  if (failures === undefined) return [];
  const texts = Array.isArray(failures) && failures.every((f) => typeof f === 'string');
  return texts ? [] : [`${field} is not a list of texts`];
}

function attemptProblems(attempt: unknown): readonly string[] {
  if (attempt === undefined) return [];
  if (!isTable(attempt)) return ['previous_attempt is not an object'];
  return [
    ...(isTextOrAbsent(attempt.claimed_by) ? [] : ['previous_attempt.claimed_by is not text']),
    ...failureProblems(attempt.failures, 'previous_attempt.failures'),
  ];
}

/** What cannot be written down exactly, or is no todo by its size, is not taken. */
function sizeProblem(value: object): readonly string[] {
  try {
    const size = Buffer.byteLength(canonicalize(value as Json));
    return size <= LARGEST_TODO ? [] : [`has ${size} bytes, at most ${LARGEST_TODO} fit`];
  } catch (error) {
    return [`holds what JSON cannot say exactly: ${error instanceof Error ? error.message : String(error)}`];
  }
}

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string';
const isTable = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

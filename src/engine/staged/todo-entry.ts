import { sha256Hex } from '../../attestation/digest.ts';
import { literalPattern } from '../../kernel/literal-pattern.ts';
import { depthOf, titlesOf } from './todo-titles.ts';

/** The entry of a task in the project's list of todos. */
export interface TodoEntry {
  readonly text: string;
  /** Hex SHA-256 of its text: an entry that somebody edits is another one (PROTO-42). */
  readonly digest: string;
  /** What the entry says under each field asked for, '' where it says nothing. */
  readonly fields: { readonly [field: string]: string };
}

/** Finds a task by its name in a heading or in an item of a list; undefined where it is in neither. */
export function todoEntry(text: string, task: string, fields: readonly string[]): TodoEntry | undefined {
  const lines = text.split(/\r?\n/);
  const named = new RegExp(`(?<![\\w.-])${literalPattern(task)}(?![\\w.-])`);
  const mentions = titlesOf(lines).filter(({ title }) => named.test(title));
  const own = mentions.filter(({ name }) => name === task);
  // Others may name it in their own titles, or have a part of that name.
  const { at: start, depth } = own.find(({ isTask }) => isTask) ?? own[0] ?? mentions[0] ?? NONE;
  if (start < 0) return undefined;
  const isNext = (line: string) => (depthOf(line) ?? depth + 1) <= depth;
  const rest = lines.slice(start + 1).findIndex(isNext);
  const block = lines.slice(start, rest < 0 ? undefined : start + 1 + rest);
  const whole = block.join('\n').trimEnd();
  const found = Object.fromEntries(fields.map((field) => [field, fieldOf(block.slice(1), field, fields)]));
  return { text: whole, digest: sha256Hex(whole), fields: found };
}

const NONE = { at: -1, depth: 0 };

/** Names of tasks in the list, in its order: titles of one word, or that begin with one in backquotes or bold. */
export function todoNames(text: string): readonly string[] {
  const tasks = titlesOf(text.split(/\r?\n/)).filter(({ isTask }) => isTask);
  return [...new Set(tasks.map(({ name }) => name))];
}

function fieldOf(lines: readonly string[], field: string, fields: readonly string[]): string {
  const label = new RegExp(`^[\\s>*+#-]*\\**${field}\\**\\s*:?\\**\\s*(.*)$`, 'i');
  const at = lines.findIndex((line) => label.test(line));
  if (at < 0) return '';
  const said = label.exec(lines[at] ?? '')?.[1]?.trim() ?? '';
  if (said !== '') return said;
  const below = lines.slice(at + 1).find((line) => line.trim() !== '') ?? '';
  return /^#{1,6}\s/.test(below) || /^[\s>*+-]*\**\w+\**\s*:/.test(below) || isBare(below, fields)
    ? ''
    : below.trim();
}

/** Whether a line is the name of a field and no more. */
function isBare(line: string, fields: readonly string[]): boolean {
  const text = line.replace(/^[\s>*_+-]+|[\s*_]+$/g, '').toLowerCase();
  return fields.some((field) => field.toLowerCase() === text);
}

import { sha256Hex } from '../../attestation/digest.ts';
import { literalPattern } from '../../kernel/literal-pattern.ts';

/** The entry of a task in the project's list of todos. */
export interface TodoEntry {
  readonly text: string;
  /** Hex SHA-256 of its text: an entry that somebody edits is another one (PROTO-42). */
  readonly digest: string;
  /** What the entry says under each field asked for, '' where it says nothing. */
  readonly fields: { readonly [field: string]: string };
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)[-*+]\s+(.*)$/;

/** Finds a task by its name in a heading or in an item of a list; undefined where it is in neither. */
export function todoEntry(text: string, task: string, fields: readonly string[]): TodoEntry | undefined {
  const lines = text.split(/\r?\n/);
  const named = new RegExp(`(?<![\\w.-])${literalPattern(task)}(?![\\w.-])`);
  const mentions = lines.flatMap((line, at) => (named.test(titleAt(lines, at)) ? [{ line, at }] : []));
  // Others may name it in their own titles.
  const start = (mentions.find(({ line }) => nameIn(titleOf(line)) === task) ?? mentions[0])?.at ?? -1;
  if (start < 0) return undefined;
  const depth = depthOf(lines[start] ?? '');
  const rest = lines.slice(start + 1).findIndex((line) => isNext(line, depth));
  const block = lines.slice(start, rest < 0 ? undefined : start + 1 + rest);
  const whole = block.join('\n').trimEnd();
  const found = Object.fromEntries(fields.map((field) => [field, fieldOf(block.slice(1), field)]));
  return { text: whole, digest: sha256Hex(whole), fields: found };
}

/**
 * Names of tasks in the list, in its order: titles of one word, or that begin with one in backquotes or bold. What has a field of its
 * own is a task, and nothing in it is another one; any other title over titles is none.
 */
export function todoNames(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const tasks = withFields(lines);
  const isInside = (at: number) =>
    tasks.some(
      (task) => task < at && !lines.slice(task + 1, at + 1).some((line) => isNext(line, depthAt(task))),
    );
  const depthAt = (at: number) => depthOf(lines[at] ?? '');
  const titles = lines.flatMap((_, at) => {
    const name = nameIn(titleAt(lines, at));
    return name === '' || isInside(at) ? [] : [{ name, at }];
  });
  const isOver = (n: number) => depthAt(titles[n + 1]?.at ?? -1) > depthAt(titles[n]?.at ?? -1);
  const named = titles.filter(({ at }, n) => tasks.includes(at) || n === titles.length - 1 || !isOver(n));
  return [...new Set(named.map(({ name }) => name))];
}

/** Where the lines are that a field stands right below. */
function withFields(lines: readonly string[]): readonly number[] {
  const found = lines.flatMap((line, at) => {
    if (!FIELD.test(line)) return [];
    const isOver = (other: string) => isNext(other, depthOf(line) - 1);
    return [lines.slice(0, at).findLastIndex(isOver)];
  });
  return [...new Set(found)].filter((at) => at >= 0);
}

const NAME = '[A-Za-z0-9][\\w.-]*';
const NAMED = new RegExp(`^(?:\`(${NAME})\`|\\*\\*(${NAME})\\*\\*|(${NAME})\\s*$)`);

/** The name that a title begins with or is, '' for none. */
function nameIn(title: string): string {
  const found = NAMED.exec(title.replace(/^\[[ x]\]\s*/i, ''));
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

/** The title in a line; what stands in one list with what a task is for, such as its priority, says something of that task. */
function titleAt(lines: readonly string[], at: number): string {
  const title = titleOf(lines[at] ?? '');
  if (title === '' || HEADING.test(lines[at] ?? '')) return title;
  const depth = depthOf(lines[at] ?? '');
  const isOver = (line: string) => (HEADING.test(line) || ITEM.test(line)) && depthOf(line) < depth;
  const begin = lines.slice(0, at).findLastIndex(isOver) + 1;
  const end = lines.slice(at + 1).findIndex(isOver);
  const list = lines.slice(begin, end < 0 ? undefined : at + 1 + end);
  return list.some((line) => depthOf(line) === depth && FIELD.test(line)) ? '' : title;
}

/** One of these words, and what it says after it: an item that only begins with one is a title as others are. */
const FIELD = /^\s*[-*+]\s+\W*(?:Purpose|Scope|Components)(?:\s*(?::|$|[-–—=]\s)|[*_]+(?:[\s:–—-]|$))/i;

/** Only titles name a task: a mention in running text is none. */
const titleOf = (line: string): string => {
  const title = HEADING.exec(line)?.[2] ?? ITEM.exec(line)?.[2] ?? '';
  return /^\W*(?:Purpose|Scope|Components|Depends)(?![\w.-]*\w)/i.test(title) ? '' : title;
};

/** Headings stand over items; among themselves the fewer signs or blanks, the higher. */
function depthOf(line: string): number {
  const heading = HEADING.exec(line)?.[1]?.length;
  if (heading !== undefined) return heading;
  return 10 + (ITEM.exec(line)?.[1]?.length ?? 0);
}

const isNext = (line: string, depth: number): boolean =>
  (HEADING.test(line) || ITEM.test(line)) && depthOf(line) <= depth;

function fieldOf(lines: readonly string[], field: string): string {
  const label = new RegExp(`^[\\s>*+#-]*\\**${field}\\**\\s*:?\\**\\s*(.*)$`, 'i');
  const at = lines.findIndex((line) => label.test(line));
  if (at < 0) return '';
  const said = label.exec(lines[at] ?? '')?.[1]?.trim() ?? '';
  if (said !== '') return said;
  const below = lines.slice(at + 1).find((line) => line.trim() !== '');
  return below === undefined || HEADING.test(below) || /^[\s>*+-]*\**\w+\**\s*:/.test(below)
    ? ''
    : below.trim();
}

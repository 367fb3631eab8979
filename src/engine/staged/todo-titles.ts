/** A heading, or an item, of a list of todos. */
export interface Title {
  /** Its line, from 0. */
  readonly at: number;
  /** Headings stand over items; among themselves the fewer signs or blanks, the higher. */
  readonly depth: number;
  /** What it says, '' where it only says something of the task that it stands in. */
  readonly title: string;
  /** The name that it begins with or is, '' for none. */
  readonly name: string;
  readonly isTask: boolean;
}

/** A title, with what the lines right below it tell. */
interface Node {
  readonly at: number;
  readonly depth: number;
  readonly title: string;
  readonly over: Node | undefined;
  /** The fields there, those of them that say something, and how deep items among them are. */
  readonly fields: Set<string>;
  readonly said: Set<string>;
  readonly fieldDepths: Set<number>;
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)[-*+]\s+(.*)$/;
/** The depth of an item without blanks before it. */
const LIST = 10;

/** How deep the title in a line stands, undefined where there is none. */
export function depthOf(line: string): number | undefined {
  const heading = HEADING.exec(line)?.[1]?.length;
  if (heading !== undefined) return heading;
  const item = ITEM.exec(line)?.[1]?.length;
  return item === undefined ? undefined : LIST + item;
}

/**
 * The titles of a list, in its order. What has a field of its own is a task, and what stands in that is part of it, unless there is a
 * task that says as much: then the one over it only says what they have in common. Any other title over titles is none.
 */
export function titlesOf(lines: readonly string[]): readonly Title[] {
  const nodes = nodesOf(lines);
  const shown = new Map(nodes.map((node) => [node, shownOf(node)]));
  const nameOf = (node: Node) => shown.get(node)?.name ?? '';
  const entries = entriesAmong(nodes, nameOf);
  const inside = new Set<Node>();
  for (const node of nodes)
    if (node.over !== undefined && (entries.has(node.over) || inside.has(node.over))) inside.add(node);
  const free = nodes.filter((node) => nameOf(node) !== '' && !inside.has(node));
  const isOver = (node: Node, next: Node | undefined) => next !== undefined && next.depth > node.depth;
  const tasks = new Set(free.filter((node, n) => entries.has(node) || !isOver(node, free[n + 1])));
  return nodes.map((node) => ({
    ...{ at: node.at, depth: node.depth, title: shown.get(node)?.title ?? '' },
    ...{ name: nameOf(node), isTask: tasks.has(node) },
  }));
}

/** Headings and items, each with the one that it stands in. */
function nodesOf(lines: readonly string[]): readonly Node[] {
  const nodes: Node[] = [];
  let field: Field | undefined;
  let isApart = true;
  for (const [at, line] of lines.entries()) {
    const isBlank = line.trim() === '';
    if (!isBlank) {
      const depth = depthOf(line);
      const last = nodes.at(-1);
      const over = depth === undefined && !isApart ? last : above(last, depth ?? indentOf(line));
      field = noteField(line, depth, over, field);
      if (depth !== undefined) nodes.push(nodeAt(at, depth, line, over));
    }
    isApart = isBlank;
  }
  return nodes;
}

function nodeAt(at: number, depth: number, line: string, over: Node | undefined): Node {
  const found = { fields: new Set<string>(), said: new Set<string>(), fieldDepths: new Set<number>() };
  return { at, depth, title: titleOf(line), over, ...found };
}

/** What something this deep stands in, from the title before it on. */
function above(last: Node | undefined, depth: number): Node | undefined {
  let over = last;
  while (over !== undefined && over.depth >= depth) over = over.over;
  return over;
}

/** How deep a paragraph stands: its blanks tell the item that it belongs to. */
const indentOf = (line: string) => LIST + line.search(/\S/);

/** A field, and whose it is. */
interface Field {
  readonly of: Node;
  readonly word: string;
  readonly text: string;
  readonly depth: number;
}

/** Notes what a line says of the title that it belongs to, be it a field, or what the one before it left open. */
function noteField(line: string, depth: number | undefined, over: Node | undefined, before?: Field) {
  const field = fieldIn(line, depth, over);
  if (field === undefined) {
    if (before !== undefined && (depth ?? LIST) > before.depth) before.of.said.add(before.word);
    return undefined;
  }
  field.of.fields.add(field.word);
  if (depth !== undefined) field.of.fieldDepths.add(depth);
  if (/[\p{L}\p{N}]/u.test(field.text)) field.of.said.add(field.word);
  return field;
}

function fieldIn(line: string, depth: number | undefined, over: Node | undefined): Field | undefined {
  const [, named, marked, text = ''] = (depth === undefined ? LABEL : FIELD).exec(line) ?? [];
  const word = (named ?? marked)?.toLowerCase();
  let of = over;
  // A paragraph in the lines of a field is another one of the same title.
  while (depth === undefined && of?.title === '') of = of.over;
  // Any item may say what a paragraph leaves open.
  return word === undefined || of === undefined ? undefined : { of, word, text, depth: depth ?? LIST - 1 };
}

const FIELDS = ['Purpose', 'Scope', 'Components'];
const WORD = `(${FIELDS.join('|')})`;

/** One of these words, and what it says after it: an item that only begins with one is a title as others are. */
const FIELD = new RegExp(
  `^(?:\\s*[-*+]|#{1,6})\\s+(?:[^\\w\\s]\\W*)?${WORD}(?:\\s*(?::|$|[-–—=]\\s)|[*_]+(?:[\\s:–—-]|$))()(.*)$`,
  'i',
);

/** The same in a paragraph, whose lines may begin with any word: there it is set off, or ends with a colon. */
const LABEL = new RegExp(`^[\\s>]*(?:[*_]*${WORD}[*_]*\\s*:|[*_]+${WORD}[*_]+(?:\\s|$))(.*)$`, 'i');

/** Only titles name a task: a mention in running text is none. */
function titleOf(line: string): string {
  const title = HEADING.exec(line)?.[2] ?? ITEM.exec(line)?.[2] ?? '';
  return /^\W*(?:Purpose|Scope|Components|Depends)(?![\w.-]*\w)/i.test(title) ? '' : title;
}

const NAME = '[A-Za-z0-9][\\w.-]*';
const NAMED = new RegExp(`^(?:\`(${NAME})\`|\\*\\*(${NAME})\\*\\*|(${NAME})\\s*$)`);
const ALONE = new RegExp(`^(?:\`${NAME}\`|\\*\\*${NAME}\\*\\*)\\s*$`);

/** What a title says, and its name; an item in one list with a field, such as a priority, says something of what the field is of. */
function shownOf({ title, depth, over, fields }: Node): { readonly title: string; readonly name: string } {
  const text = title.replace(/^\[[ x]\]\s*/i, '');
  const isBeside = depth >= LIST && fields.size === 0 && over?.fieldDepths.has(depth) === true;
  if (isBeside && !ALONE.test(text)) return { title: '', name: '' };
  const found = NAMED.exec(text);
  return { title, name: found?.[1] ?? found?.[2] ?? found?.[3] ?? '' };
}

/** Those with fields that are not only over others that say as much. */
function entriesAmong(nodes: readonly Node[], nameOf: (node: Node) => string): ReadonlySet<Node> {
  const most = new Map<Node, number>();
  const found = new Set<Node>();
  for (const node of [...nodes].reverse()) {
    const weight = weightOf(node);
    const below = most.get(node) ?? 0;
    if (weight > below) found.add(node);
    const { over } = node;
    const named = nameOf(node) === '' ? 0 : weight;
    if (over !== undefined) most.set(over, Math.max(most.get(over) ?? 0, below, named));
  }
  const whole = wholeOf(nodes);
  if (whole !== undefined && isOfList(whole, nodes, nameOf)) found.delete(whole);
  return found;
}

/** Whether what the whole list stands in is no task of it: it says what the list is for, or what an entry needs. */
function isOfList(whole: Node, nodes: readonly Node[], nameOf: (node: Node) => string): boolean {
  const others = nodes.filter((node) => node !== whole && nameOf(node) !== '');
  if (others.length === 0) return false;
  const name = nameOf(whole);
  if (weightOf(whole) < ALL || name === '' || OF_LISTS.test(name)) return true;
  // A note of one task may have a scope; what it is there for is said of tasks alone.
  return others.some((node) => node.fields.has('purpose') && standsApart(node, whole));
}

/** What lists of tasks are called, and no task of one. */
const OF_LISTS = /^(?:to-?dos?|tasks|backlog|project|roadmap)(?:\.md)?$/i;

/** In a heading of its own below the whole, and in none of the fields there. */
function standsApart(node: Node, whole: Node): boolean {
  let isBelow = false;
  for (let at: Node | undefined = node; at !== whole; at = at.over) {
    if (at === undefined || at.title === '') return false;
    isBelow ||= at.depth < LIST;
  }
  return isBelow;
}

/** How much of a task it is: none, one that lacks fields, or all of one. */
const weightOf = ({ fields, said }: Node) => (said.size === FIELDS.length ? ALL : Math.min(fields.size, 1));
const ALL = 2;

/** The heading that the whole list stands in, undefined where there is none. */
function wholeOf(nodes: readonly Node[]): Node | undefined {
  const [first, ...others] = nodes;
  return first?.depth === 1 && others.every(({ depth }) => depth > 1) ? first : undefined;
}

import { shellWord } from '../kernel/single-quoted.ts';
import { phaseWords } from './phases/words.ts';
import type { Given, Step } from './steps.ts';

/** A step as people type it. */
export function commandLine({
  protocol,
  command,
  item,
  to,
  move,
  takes,
  given,
  task,
}: Pick<Step, 'protocol' | 'command' | 'item' | 'to' | 'move' | 'takes' | 'given' | 'task'>): string {
  const own = phaseWords(protocol, command, item);
  if (own !== undefined) return own;
  // One command of its own takes both steps of a goal: what is claimed of it, and its checks.
  if (command === 'integrate') {
    const { notes, ...more } = given;
    const tried = notes === undefined ? '"WHAT YOU TRIED"' : shellWord(String(notes));
    return [`countersign goal verify ${item} --notes ${tried}`, ...said(more)].join(' ');
  }
  // Steps of a task in stages have words of their own, below its name.
  if (move && task !== '') {
    const lacked = takes.filter((name) => given[name] === undefined);
    const known = Object.entries(given).map(([name, value]) => `--${name} ${shellWord(String(value))}`);
    const options = lacked.map((name) => `--${name} ${name.toUpperCase()}`);
    return [`countersign task ${command} ${task}`, ...known, ...options].join(' ');
  }
  if (move) {
    const lacked = takes.filter((name) => given[name] === undefined);
    return [`countersign move ${item} ${command}`, ...said(given), ...lacked.map(optionFor)].join(' ');
  }
  switch (command) {
    case 'dispatch': {
      if (to.length === 1) return `countersign dispatch ${item} --to ${to[0]}`;
      if (to.length > 1)
        return `countersign dispatch ${item} --to ${to.at(-1)}  [or ${few(to.slice(0, -1))}]`;
      return `countersign dispatch ${item} --to ACTOR`;
    }
    case 'report':
      return `countersign report ${item} --approve`;
    case 'review':
      return `countersign review ${item} --approve`;
    case 'add-task':
      return `countersign add "TITLE" --goal ${item}`;
    case 'supersede':
    case 'follow-up':
      return `countersign follow-up ${item} "TITLE"`;
    default:
      return `countersign ${command} ${item}`;
  }
}

/** An argument of a table's command, as it is typed. */
const optionFor = (name: string): string => {
  if (name === 'guidance') return '--guidance "WHAT TO DO OTHERWISE"';
  if (name === 'to' || name === 'commit') return `--${name} ${name.toUpperCase()}`;
  if (name === 'evidence') return '--evidence PATH';
  return name === 'reason' ? '--reason "WHY"' : `--arg ${name}="…"`;
};

/** What was said already, as it is typed again. */
const said = (given: Given): readonly string[] =>
  Object.entries(given).map(([name, value]) => {
    if (name === 'no_change') return '--no-change';
    if (typeof value !== 'string') return `--${name} ${value.map(shellWord).join(' ')}`;
    return OPTIONS.has(name) ? `--${name} ${shellWord(value)}` : `--arg ${shellWord(`${name}=${value}`)}`;
  });

const OPTIONS: ReadonlySet<string> = new Set(['to', 'reason', 'guidance', 'commit']);

/** The first of some names. */
export const few = (names: readonly string[]) =>
  `${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''}`;

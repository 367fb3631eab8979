import type { Step } from './steps.ts';

/** A step as people type it. */
export function commandLine({
  command,
  item,
  to,
  move,
  takes,
}: Pick<Step, 'command' | 'item' | 'to' | 'move' | 'takes'>): string {
  // One command of its own takes both steps of a goal: what is claimed of it, and its checks.
  if (command === 'integrate') return `countersign goal verify ${item} --notes "WHAT YOU TRIED"`;
  if (move) return [`countersign move ${item} ${command}`, ...takes.map(optionFor)].join(' ');
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

/** The first of some names. */
export const few = (names: readonly string[]) =>
  `${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''}`;

import type { Told } from '../chronicle.ts';
import type { Invariant } from './invariant.ts';
import { goalOf } from './makers.ts';

/** Commands that are counted, what begins the count anew, and the most of them in a row; said here a second time. */
interface Bound {
  readonly counts: readonly string[];
  /** Counted for each state in which the command was given. */
  readonly byState: boolean;
  readonly anew: readonly string[];
  readonly most: number;
}

const FORWARD = ['assign', 'plan', 'validate', 'begin', 'finish', 'ask-review', 'approve', 'commit'];
const GUIDED = ['return', 'rollback', 'skip', 'resolve'];
const TRIAGED = ['reassign-builder', 'reassign-checker', 'intervene', 'reopen'];

const BOUNDS: { readonly [protocol: string]: Bound } = {
  lifecycle: { counts: ['fail'], byState: true, anew: [...FORWARD, ...GUIDED], most: 3 },
  'goal-task': { counts: ['reject-verification'], byState: false, anew: TRIAGED, most: 2 },
  reviewer: { counts: ['die'], byState: false, anew: ['summon'], most: 2 },
  staged: { counts: ['rework'], byState: false, anew: ['change-scope', 'keep-scope', 'defer'], most: 6 },
};

/** Failures are counted, and the last one that is allowed leads elsewhere. No process is started twice. */
export const attemptsAreBounded: Invariant = ({ touched, town }) => [
  ...touched.flatMap(tooMany),
  ...[...town.agents.starts].filter(([, n]) => n > 1).map(([run, n]) => `${run} was started ${n} times`),
];

function tooMany({ protocol, events, item }: Told): readonly string[] {
  const bound = BOUNDS[protocol.name];
  if (bound === undefined) return [];
  const counted = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'moved' || event.row < 0) continue;
    const key = bound.byState ? event.origin : '';
    if (GUIDED.includes(event.command)) counted.clear();
    if (bound.anew.includes(event.command)) counted.delete(key);
    if (bound.counts.includes(event.command)) counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const worst = Math.max(0, ...counted.values());
  return worst <= bound.most
    ? []
    : [
        `${protocol.name} ${item.number} did ${bound.counts[0]} ${worst} times in a row, at most ${bound.most}`,
      ];
}

/** A goal that waits for its verification, or has it, has nothing but confirmed tasks, as they say it themselves. */
export const goalsCountWhatIsConfirmed: Invariant = ({ items, touched }) => {
  if (!touched.some(({ protocol }) => protocol.name === 'goal' || protocol.name === 'goal-task')) return [];
  const all = [...items.values()];
  return all.flatMap((goal) => {
    if (goal.protocol.name !== 'goal' || !['pending_verify', 'verified'].includes(goal.item.state)) return [];
    const tasks = all.filter((told) => goalOf(told) === goal.id);
    const open = tasks.filter(({ item }) => !['verified', 'abandoned'].includes(item.state));
    const isEmpty = tasks.every(({ item }) => item.state === 'abandoned');
    return [
      ...open.map(stands(goal)),
      ...(isEmpty ? [`the goal ${goal.item.number} is ${goal.item.state} with no task verified`] : []),
    ];
  });
};

const stands = (goal: Told) => (task: Told) =>
  `the goal ${goal.item.number} is ${goal.item.state} while its task ${task.item.number} is ${task.item.state}`;

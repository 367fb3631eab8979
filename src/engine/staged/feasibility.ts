import type { Caller } from '../caller.ts';
import type { Ports } from '../ports.ts';
import { assertSession } from './leases.ts';
import { crashedQuestion, type Selection } from './selection.ts';
import { type TaskView, viewTask } from './task.ts';
import { type Entry, logOfTask, readTaskLog } from './task-log.ts';

/** What whoever looks at a task knows that no file says. */
export interface Declared {
  /** What it needs and is not there: an external API, a credential, a requirement. */
  readonly blockers: readonly string[];
  /** Decisions that only the user can take. */
  readonly choices: readonly string[];
}

export interface Point {
  readonly name: 'deliverables' | 'blockers' | 'capabilities' | 'availability';
  readonly passed: boolean;
  readonly because: string;
}

export interface TaskChecked {
  readonly task: string;
  readonly session: string;
  readonly points: readonly Point[];
  readonly selection: Selection;
  readonly because: string;
  /** What a person is asked, where that is the answer. */
  readonly question: readonly string[];
  readonly feasible: boolean;
  /** Digest of the task's entry in the list; '' without one. */
  readonly entry: string;
}

interface CheckedEvent extends Omit<TaskChecked, 'task'>, Entry {
  readonly type: 'task-checked';
}

/**
 * Looks at whether a task can be done without asking: what it delivers, what it needs, whether anybody has it
 * (PROTO-32 to PROTO-35, PROTO-44 to PROTO-60). It is put on record, since no task begins without it.
 */
export async function checkTask(
  ports: Ports,
  caller: Caller,
  asked: { readonly task: string; readonly session: string } & Declared,
): Promise<TaskChecked> {
  assertSession(asked.session);
  const view = await viewTask(ports, asked.task, asked.session);
  const points = pointsOf(view, asked);
  const { selection, because } = view.selected;
  const checked: TaskChecked = {
    ...{ task: asked.task, session: asked.session, points, selection, because },
    question:
      selection === 'ASK_USER' ? crashedQuestion(asked.task, view.layout.code, view.layout.taskJson) : [],
    feasible: points.every(({ passed }) => passed),
    entry: view.entry?.digest ?? '',
  };
  const { task, ...kept } = checked;
  await logOfTask<CheckedEvent>(ports, caller, task, { type: 'task-checked', ...kept });
  return checked;
}

/** The last check of a task by a session, undefined where it made none. */
export async function lastCheck(
  ports: Pick<Ports, 'store'>,
  task: string,
  session: string,
): Promise<CheckedEvent | undefined> {
  const events = await readTaskLog<CheckedEvent>(ports, task);
  return events.findLast((event) => event.type === 'task-checked' && event.session === session);
}

function pointsOf(view: TaskView, declared: Declared): readonly Point[] {
  const { entry, settings, selected } = view;
  const lacking = settings.entryFields.filter((field) => (entry?.fields[field] ?? '') === '');
  const deliverables =
    entry === undefined
      ? `${settings.todo} has no entry of this name`
      : lacking.length > 0
        ? `the entry in ${settings.todo} does not say ${lacking.join(', ')}`
        : '';
  const free = selected.selection === 'PROCEED_WITH_INIT' || selected.selection === 'RESUME';
  return [
    point('deliverables', deliverables, `the entry says ${settings.entryFields.join(', ')}`),
    point(
      'blockers',
      declared.blockers.length > 0 ? `missing: ${declared.blockers.join('; ')}: select an alternative` : '',
      'nothing is missing',
    ),
    point(
      'capabilities',
      declared.choices.length > 0
        ? `the user has to choose: ${declared.choices.join('; ')}: select an alternative`
        : '',
      'no decision is the user’s',
    ),
    point('availability', free ? '' : selected.because, `${selected.because}${leftoverIn(view)}`),
  ];
}

/** Files of a task that nobody ever began, or of one that has ended: they are there, and nothing is taken from them unseen (CP-06). */
const leftoverIn = ({ hasLeftover, lease, layout }: TaskView): string =>
  hasLeftover && lease.holder === undefined
    ? `; ${layout.folder} holds files of an earlier time: look them over, and move away what is not to be taken for this task's`
    : '';

const point = (name: Point['name'], problem: string, well: string): Point => ({
  name,
  passed: problem === '',
  because: problem === '' ? well : problem,
});

import { shortTitle } from '../../engine/display.ts';
import { type GoalStatus, goalNamed, goalStatus, goalToHold, type TaskOfGoal } from '../../engine/goals.ts';
import { type Integration, integrate, integrationStep } from '../../engine/integrate.ts';
import { NEW_ITEM } from '../../engine/new-item.ts';
import { openItems } from '../../engine/open.ts';
import { STEP } from '../../engine/step.ts';
import { todoOf } from '../../engine/todo.ts';
import { weaknessOf } from '../../engine/weak.ts';
import { answerRefusal } from '../answer.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import { moveItem, onlyAsPerson, takeStep } from './move.ts';
import { answerVerified, askVerification } from './verify.ts';

export const goal: Register = (program, run) => {
  const goals = program.command('goal').description('goals: what their tasks add up to, verified as a whole');
  goals
    .command('create <title>')
    .description('make a goal')
    .option('--list <name>', 'list it belongs to', 'main')
    .action((title: string, { list }: { list: string }) => run((cli) => create(cli, title, list)));
  goals
    .command('link <task> <goal>')
    .description('tie a task to a goal')
    .action((task: string, ref: string) =>
      run(async (cli) => {
        await withSession(cli, async ({ ports }) => goalToHold(ports, ref));
        return moveItem(cli, { ...STEP, ref, command: 'link', arguments: { task } });
      }),
    );
  goals
    .command('status <goal>')
    .description('a goal, its tasks, and whether what was verified is still what is there')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const status = await goalStatus(ports, ref);
          printAnswer(cli.output, { data: status, text: textOf(status) });
          return EXIT.ok;
        }),
      ),
    );
  goals
    .command('verify <goal>')
    .description('run the checks on the commit that holds the whole, and verify the goal where they pass')
    .requiredOption('--notes <text>', 'what you tried of the whole, and what you saw')
    .option('--commit <commit>', 'the commit that holds it; the default branch unless given', '')
    .action((ref: string, { notes, commit }: { notes: string; commit: string }) =>
      run((cli) => verifyWhole(cli, { ref, notes, commit })),
    );
  goals
    .command('reject <goal>')
    .description('send a goal back: the whole does not work')
    .requiredOption('--reason <text>', 'what is wrong')
    .action((ref: string, { reason }: { reason: string }) =>
      run(async (cli) => {
        await withSession(cli, async ({ ports }) => goalNamed(ports, ref));
        return moveItem(cli, { ...STEP, ref, command: 'reject-goal', reason });
      }),
    );
};

const create = (cli: Cli, title: string, list: string) =>
  withSession(cli, async ({ ports, caller }) => {
    const [handle] = await openItems(ports, caller, [{ ...NEW_ITEM, title, list, ...A_GOAL }]);
    if (handle === undefined) return EXIT.internal;
    const more = `next: countersign add "TITLE" --goal ${handle.display}`;
    printAnswer(cli.output, {
      data: { ...todoOf(handle), goal_id: handle.display },
      text: `${handle.display} goal created: ${shortTitle(handle.item.title)}\n${more}`,
    });
    return EXIT.ok;
  });

/** One answer for both steps: what is missing, or what the run of the checks on the whole came to. */
const verifyWhole = (cli: Cli, integration: Integration) =>
  withSession(cli, async (session) => {
    const { ports, caller } = session;
    const goal = await goalNamed(ports, integration.ref);
    const request = integrationStep(integration);
    const asPerson = onlyAsPerson(goal, request, caller);
    const outcome = await takeStep(cli, session, request, (actor, confirms) =>
      integrate(ports, actor, integration, confirms),
    );
    if (outcome.kind === 'refused') return answerRefusal(cli.output, outcome, request.command);
    const verified = await askVerification(cli, session, goal.id, asPerson);
    return answerVerified(cli.output, verified, await weaknessOf(ports, verified.outcome.handle));
  });

/** A goal changes nothing itself: what it claims is that the whole works. */
const A_GOAL = { kind: 'verification-only', protocol: 'goal' };

function textOf(told: GoalStatus): string {
  const { goal_id, title, status, tasks, counts, reverify, unmerged, rejected, weak } = told;
  const rows = tasks.map((t) => [t.task_id, t.status.toUpperCase(), t.assignee || '-', t.title, marksOf(t)]);
  const numbers = Object.entries(counts).filter(([, n]) => n > 0);
  return [
    `${goal_id} ${title}`,
    `state ${status.toUpperCase()}: ${numbers.map(([state, n]) => `${n} ${state}`).join(', ') || 'no tasks'}`,
    ...(rows.length > 0 ? [columns(rows)] : []),
    ...(reverify.length > 0
      ? [
          `changed since they were verified: ${reverify.map(changesOf(tasks)).join('; ')}`,
          status === 'verified'
            ? 'what changed after the goal was verified was judged by nobody: reopen the task'
            : 'they are verified again with the whole: countersign goal verify',
        ]
      : []),
    ...(unmerged.length > 0 ? [`not on the default branch yet: ${unmerged.join(', ')}`] : []),
    ...(weak ? ['verified on tasks that are weakly verified'] : []),
    ...(rejected === '' ? [] : [`sent back: ${rejected}`]),
  ].join('\n');
}

function marksOf({ weak, escalated, rejections }: TaskOfGoal): string {
  const marks = [
    ...(weak ? ['weakly verified'] : []),
    ...(rejections > 0 ? [`rejected by verifiers ${rejections} times`] : []),
    ...(escalated ? ['escalated'] : []),
  ];
  return marks.join(', ');
}

const changesOf = (tasks: readonly TaskOfGoal[]) => (id: string) =>
  `${id} (${tasks
    .find((t) => t.task_id === id)
    ?.changed_since.slice(0, 5)
    .join(', ')})`;

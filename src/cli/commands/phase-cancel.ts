import type { Command } from 'commander';
import { attend } from '../../engine/phases/attend.ts';
import { cancelTask, taskNamed } from '../../engine/phases/cancel.ts';
import { STEP } from '../../engine/step.ts';
import { answerRefusal } from '../answer.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Run } from '../register.ts';
import { takeStep } from './move.ts';

/** `phase cancel`: a task in phases is given up. */
export function registerCancel(phases: Command, run: Run): void {
  phases
    .command('cancel <task>')
    .description('as a person: give a task in phases up; its agents and reviewers are ended')
    .requiredOption('--reason <text>', 'why')
    .action((ref: string, { reason }: { reason: string }) => run((cli) => cancel(cli, ref, reason)));
}

const cancel = (cli: Cli, ref: string, reason: string) =>
  withSession(cli, async (session) => {
    await attend(session);
    const { id, display } = await taskNamed(session, ref);
    const request = { ...STEP, ref: id, command: 'cancel', reason };
    const outcome = await takeStep(cli, session, request, (caller, confirms) =>
      cancelTask(session, caller, id, reason, confirms),
    );
    if (outcome.kind === 'refused') return answerRefusal(cli.output, outcome, 'cancel');
    const { state } = outcome.handle.item;
    printAnswer(cli.output, {
      data: { success: true, task_id: display, status: state },
      text: `${display} ${state}: its agents and reviewers are ended, its branch stays`,
    });
    return EXIT.ok;
  });

import { completeItem } from '../../engine/complete-item.ts';
import type { Outcome } from '../../engine/execute.ts';
import { completionReport } from '../../engine/reports.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { withSession } from '../context.ts';
import type { Register } from '../register.ts';

export const complete: Register = (program, run) => {
  program
    .command('complete <item>')
    .description('accept a verified item')
    .option('--reason <text>', 'a remark for the log', '')
    .action((ref: string, { reason }: { reason: string }) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const outcome = await completeItem(ports, caller, ref, reason);
          const done = ({ handle }: Outcome) => ({
            data: { ...todoOf(handle), report: outcome.report },
            text: completionReport(handle),
          });
          return answerOutcome(cli.output, outcome, done, 'complete');
        }),
      ),
    );
};

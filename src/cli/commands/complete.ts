import { completeItem, completionShown } from '../../engine/complete-item.ts';
import { isEnded } from '../../engine/ended.ts';
import type { Outcome } from '../../engine/execute.ts';
import { completionReport } from '../../engine/reports.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { confirmedOn, withSession } from '../context.ts';
import type { Register } from '../register.ts';

export const complete: Register = (program, run) => {
  program
    .command('complete <item>')
    .description('accept a verified item')
    .option('--reason <text>', 'a remark for the log', '')
    .option('--confirm', 'accept it as a person at the terminal, whatever your roles')
    .action((ref: string, { reason, confirm }: { reason: string; confirm?: boolean }) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const asked = { title: 'Accept', purpose: 'complete', when: isEnded, shownOf: completionShown };
          const asker = confirm === true ? await confirmedOn(cli, { ports, caller }, ref, asked) : caller;
          const outcome = await completeItem(ports, asker, ref, reason);
          const done = ({ handle }: Outcome) => ({
            data: { ...todoOf(handle), report: outcome.report },
            text: completionReport(handle),
          });
          return answerOutcome(cli.output, outcome, done, 'complete');
        }),
      ),
    );
};

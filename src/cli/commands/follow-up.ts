import { shortTitle } from '../../engine/display.ts';
import { followUp as openFollowUp } from '../../engine/follow-up.ts';
import { todoOf } from '../../engine/todo.ts';
import { type AcceptanceOptions, givenAcceptance } from '../acceptance.ts';
import { answerRefusal } from '../answer.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const followUp: Register = (program, run) => {
  program
    .command('follow-up <item> <title>')
    .description('new work after an item that cannot be undone')
    .option('--acceptance <file>', 'other examples than those of the old item')
    .option('--confirm', 'confirm the examples as a person at the terminal')
    .action((ref: string, title: string, options: AcceptanceOptions) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const given = await givenAcceptance(cli, ports, caller, options);
          const { outcome, opened } = await openFollowUp(ports, given.caller, ref, title, given.facts);
          if (outcome?.kind === 'refused') return answerRefusal(cli.output, outcome);
          if (opened === undefined) return EXIT.internal;
          printAnswer(cli.output, {
            data: todoOf(opened),
            text: `${opened.display} added after ${ref}: ${shortTitle(opened.item.title)}`,
          });
          return EXIT.ok;
        }),
      ),
    );
};

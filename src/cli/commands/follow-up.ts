import type { Caller } from '../../engine/caller.ts';
import { shortTitle } from '../../engine/display.ts';
import { isEnded } from '../../engine/ended.ts';
import { followUpShown, followUp as openFollowUp } from '../../engine/follow-up.ts';
import type { Handle } from '../../engine/handle.ts';
import { todoOf } from '../../engine/todo.ts';
import type { Facts } from '../../kernel/event.ts';
import { type AcceptanceOptions, givenAcceptance } from '../acceptance.ts';
import { answerRefusal } from '../answer.ts';
import { type Cli, confirmedOn, type Session, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const followUp: Register = (program, run) => {
  program
    .command('follow-up <item> <title>')
    .description('new work after an item that cannot be undone')
    .option('--acceptance <file>', 'other examples than those of the old item')
    .option(
      '--confirm',
      'confirm the examples, or where there are none the new work, as a person at the terminal',
    )
    .action((ref: string, title: string, options: AcceptanceOptions) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const given = await givenBy(cli, { ports, caller }, ref, title, options);
          const { outcome, opened } = await openFollowUp(
            ports,
            given.caller,
            ref,
            title,
            given.facts,
            given.shown,
          );
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

/** Examples with the word of whoever gives them; without any, the word of the person who asks for the new work. */
async function givenBy(
  cli: Cli,
  { ports, caller }: Pick<Session, 'ports' | 'caller'>,
  ref: string,
  title: string,
  options: AcceptanceOptions,
): Promise<{ readonly caller: Caller; readonly facts: Facts; readonly shown: string }> {
  if (options.confirm !== true || options.acceptance !== undefined)
    return { ...(await givenAcceptance(cli, ports, caller, options)), shown: '' };
  const shownOf = (handle: Handle) => followUpShown(handle, title);
  const asked = { title: 'New work after', purpose: 'follow-up', when: isEnded, shownOf };
  const confirmed = await confirmedOn(cli, { ports, caller }, ref, asked);
  return { caller: confirmed, facts: {}, shown: confirmed.proof?.digest ?? '' };
}

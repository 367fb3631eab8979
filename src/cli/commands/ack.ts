import { createHash } from 'node:crypto';
import { show } from '../../engine/query.ts';
import { state } from '../../engine/statement.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { confirmed, withSession } from '../context.ts';
import { nextText } from '../guide.ts';
import type { Register } from '../register.ts';
import { hardBlockReport } from '../reports.ts';

export const ack: Register = (program, run) => {
  program
    .command('ack <item>')
    .description('acknowledge the failures of a blocked item, at a terminal')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const { handle } = await show(ports, caller.actor, ref);
          const report = hardBlockReport(handle);
          const digest = createHash('sha256').update(report).digest('hex');
          // An agent is not asked: the protocol refuses it, and that is recorded.
          const byPerson =
            caller.actor.kind === 'human' &&
            handle.item.settings.acknowledge === 'user' &&
            handle.item.state === 'blocked';
          const asker = byPerson
            ? await confirmed(cli, caller, {
                title: `Acknowledge the failures of ${handle.display}`,
                shown: report,
                digest,
                purpose: `ack ${handle.id}/${handle.item.attempt}`,
              })
            : caller;
          const facts = { report_sha256: digest };
          const outcome = await state(ports, asker, {
            ref,
            name: 'ack',
            kind: 'failure-review',
            outcome: 'seen',
            facts,
            shown: digest,
          });
          return answerOutcome(cli.output, outcome, ({ handle: after, options }) => ({
            data: todoOf(after),
            text: [`${after.display}: failures acknowledged`, ...nextText(after, options, cli.output)].join(
              '\n',
            ),
          }));
        }),
      ),
    );
};

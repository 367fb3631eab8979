import { acknowledge, awaitsPerson, failuresShown } from '../../engine/failure-review.ts';
import { loadItem } from '../../engine/handle.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { confirmed, withSession } from '../context.ts';
import { nextText } from '../guide.ts';
import type { Register } from '../register.ts';

export const ack: Register = (program, run) => {
  program
    .command('ack <item>')
    .description('acknowledge the failures of a blocked item, at a terminal')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const handle = await loadItem(ports, ref);
          const { report, digest } = failuresShown(handle);
          // An agent is not asked: the protocol refuses it, and that is recorded.
          const asker =
            caller.actor.kind === 'human' && awaitsPerson(handle)
              ? await confirmed(cli, caller, {
                  title: `Acknowledge the failures of ${handle.display}`,
                  shown: report,
                  digest,
                  purpose: `ack ${handle.id}/${handle.item.attempt}`,
                })
              : caller;
          const outcome = await acknowledge(ports, asker, ref, digest);
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

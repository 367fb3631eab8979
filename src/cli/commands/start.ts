import { start as begin } from '../../engine/start.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { withSession } from '../context.ts';
import { nextText } from '../guide.ts';
import { asTyped, note } from '../print.ts';
import type { Register } from '../register.ts';

export const start: Register = (program, run) => {
  program
    .command('start <item>')
    .description('begin work on an item that was given to you; records the base commit')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const outcome = await begin(ports, caller, ref);
          for (const warning of outcome.warnings) note(cli.output, `note: ${warning}`);
          return answerOutcome(cli.output, outcome, ({ handle, options }) => ({
            data: { ...todoOf(handle), warnings: outcome.warnings },
            text:
              handle.protocol.name === 'two-phase'
                ? `${handle.display} started; when the work is committed: ${asTyped(cli.output, `countersign claim ${handle.display}`)}`
                : [`${handle.display} started`, ...nextText(handle, options, cli.output)].join('\n'),
          }));
        }),
      ),
    );
};

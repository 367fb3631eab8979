import { EngineError } from '../../engine/engine-error.ts';
import type { Outcome } from '../../engine/execute.ts';
import { giveQuality } from '../../engine/quality.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { withSession } from '../context.ts';
import { nextText } from '../guide.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly finding: readonly string[];
}

export const report: Register = (program, run) => {
  program
    .command('report <item>')
    .description('give the quality verdict on a verified item')
    .option('--approve', 'the work is good')
    .option('--reject', 'it is not')
    .option('--finding <texts...>', 'what was found', [])
    .action((ref: string, options: Options) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const approve = options.approve === true;
          if (approve === (options.reject === true)) {
            throw new EngineError(
              'BAD_INPUT',
              'say either --approve or --reject',
              `countersign report ${ref} --approve`,
            );
          }
          const outcome = approve ? 'APPROVED' : 'REJECTED';
          const said = await giveQuality(ports, caller, ref, outcome, options.finding);
          const done = ({ handle: after, options: ways }: Outcome) => ({
            data: { ...todoOf(after), quality: outcome },
            text: [
              `${after.display}: quality ${approve ? 'approved' : 'rejected; it keeps its state'}`,
              ...nextText(after, ways, cli.output),
            ].join('\n'),
          });
          return answerOutcome(cli.output, said, done, 'report');
        }),
      ),
    );
};

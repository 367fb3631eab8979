import { isEnded } from '../../engine/ended.ts';
import { EngineError } from '../../engine/engine-error.ts';
import type { Outcome } from '../../engine/execute.ts';
import type { Handle } from '../../engine/handle.ts';
import { giveQuality, qualityShown } from '../../engine/quality.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { confirmedOn, withSession } from '../context.ts';
import { nextText } from '../guide.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly finding: readonly string[];
  readonly confirm?: boolean;
}

export const report: Register = (program, run) => {
  program
    .command('report <item>')
    .description('give the quality verdict on a verified item')
    .option('--approve', 'the work is good')
    .option('--reject', 'it is not')
    .option('--finding <texts...>', 'what was found', [])
    .option('--confirm', 'give it as a person at the terminal, whatever your roles')
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
          const asked = {
            ...{ title: 'Quality', purpose: 'report', when: isEnded },
            shownOf: (handle: Handle) => qualityShown(handle, outcome, options.finding),
          };
          const giver =
            options.confirm === true ? await confirmedOn(cli, { ports, caller }, ref, asked) : caller;
          const said = await giveQuality(ports, giver, ref, outcome, options.finding);
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

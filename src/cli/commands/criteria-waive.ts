import type { Outcome } from '../../engine/execute.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { type Cli, confirmed, withSession } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { nextText } from '../guide.ts';
import type { Register } from '../register.ts';

export const criteriaWaive: Register = (group, run) => {
  group
    .command('waive <item> <check>')
    .description('let one check of a claim go, as its owner; it stays failed and the mark stays for ever')
    .requiredOption('--reason <text>', 'why, for the record')
    .action((ref: string, check: string, { reason }: { reason: string }) =>
      run((cli) => waiveCheck(cli, ref, check, reason)),
    );
};

function waiveCheck(cli: Cli, ref: string, check: string, reason: string): Promise<ExitCode> {
  return withSession(cli, async ({ ports, caller }) => {
    const { waive, waiverQuestion } = await import('../../engine/waiver.ts');
    const question = await waiverQuestion(ports, { ref, check, reason });
    // Nobody but the owner is asked: the engine refuses, and that is recorded.
    const asks = caller.actor.kind === 'human' && question.owner === caller.actor.id;
    const speaker = asks
      ? await confirmed(cli, caller, {
          title: `Waive the check ${check} for ${question.item}`,
          shown: question.lines.join('\n'),
          digest: question.digest,
          purpose: `waive ${check} for ${question.item}`,
        })
      : caller;
    const done = ({ handle, options }: Outcome) => ({
      data: { ...todoOf(handle), check, waived_by: caller.actor.id, reason },
      text: [
        `${handle.display}: ${check} waived by ${caller.actor.id}`,
        ...nextText(handle, options, cli.output),
      ].join('\n'),
    });
    return answerOutcome(cli.output, await waive(ports, speaker, question), done, 'waive');
  });
}

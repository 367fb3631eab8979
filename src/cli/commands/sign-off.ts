import { protectedChanges } from '../../engine/claim-shown.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { loadItem } from '../../engine/handle.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import { say } from '../saying.ts';

interface Options {
  readonly reject?: boolean;
  readonly reason: string;
  readonly show?: boolean;
}

export const signOff: Register = (program, run) => {
  program
    .command('sign-off <item>')
    .description('answer for what a claim changed of the protected paths; only from outside the work')
    .option('--reject', 'these changes must not be')
    .option('--reason <text>', 'why, for the record', '')
    .option('--show', 'only show what would be signed off')
    .action((ref: string, { reject, reason, show }: Options) =>
      run((cli) => {
        if (show === true) return showOnly(cli, ref);
        if (reject === true && reason === '')
          throw new EngineError(
            'BAD_INPUT',
            'a rejection needs a reason',
            `countersign sign-off ${ref} --reject --reason "…"`,
          );
        return say(cli, ref, {
          name: 'sign-off',
          kind: 'sign-off',
          verb: 'Sign off the protected changes',
          done: 'protected changes signed off',
          approve: reject !== true,
          facts: { reason },
          about: protectedChanges,
        });
      }),
    );
};

function showOnly(cli: Cli, ref: string): Promise<ExitCode> {
  return withSession(cli, async ({ ports }) => {
    const { digest, lines } = await protectedChanges(ports, await loadItem(ports, ref));
    printAnswer(cli.output, { data: { digest, lines }, text: lines.join('\n') });
    return EXIT.ok;
  });
}

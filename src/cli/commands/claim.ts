import { claim as claimWork } from '../../engine/claim.ts';
import type { Outcome } from '../../engine/execute.ts';
import { claimReport, claimsNoChange } from '../../engine/reports.ts';
import { todoOf } from '../../engine/todo.ts';
import { shellWord } from '../../kernel/single-quoted.ts';
import { answerOutcome } from '../answer.ts';
import { withSession } from '../context.ts';
import { nextText } from '../guide.ts';
import { note } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly commit: string;
  readonly evidence: readonly string[];
  /** commander turns --no-change into change: false. */
  readonly change: boolean;
  readonly reason: string;
}

export const claim: Register = (program, run) => {
  program
    .command('claim <item>')
    .description('say that the work is finished; it still has to be verified')
    .option('--commit <commit>', 'the commit that holds the work', 'HEAD')
    .option('--evidence <paths...>', 'evidence files, as PATH or TYPE=PATH', [])
    .option('--no-change', 'claim that nothing had to change')
    .option('--reason <text>', 'a remark for the log', '')
    .action((ref: string, { commit, evidence, change, reason }: Options) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const outcome = await claimWork(ports, caller, {
            ref,
            commit,
            evidence,
            noChange: !change,
            reason,
          });
          for (const warning of outcome.warnings) note(cli.output, `note: ${warning}`);
          const done = ({ handle, options }: Outcome) => {
            const facts = handle.item.steps.at(-1)?.facts ?? {};
            return {
              data: {
                ...todoOf(handle),
                commit: facts.commit,
                base: facts.base,
                no_change: claimsNoChange(handle),
                warnings: outcome.warnings,
              },
              text: [claimReport(handle), ...nextText(handle, options, cli.output)].join('\n'),
            };
          };
          return answerOutcome(
            cli.output,
            outcome,
            done,
            'claim',
            again({ commit, evidence, change }, outcome),
          );
        }),
      ),
    );
};

/** The options of a refused claim as they have to be typed again: what was missing of them is named, what was wrong is not. */
function again({ commit, evidence, change }: Omit<Options, 'reason'>, outcome: Outcome): string {
  const fixes = outcome.verdicts.map((v) => v.fix);
  const noChange = !change && !fixes.includes('claim without --no-change');
  const paths = evidence.length === 0 && noChange ? ['PATH'] : evidence.map(shellWord);
  return [
    ...(commit === 'HEAD' ? [] : ['--commit', shellWord(commit)]),
    ...(noChange ? ['--no-change'] : []),
    ...(paths.length === 0 ? [] : ['--evidence', ...paths]),
  ].join(' ');
}

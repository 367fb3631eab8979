import { claimedTree } from '../../engine/claim-shown.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { findRow } from '../../engine/handle.ts';
import { type Cli, withStore } from '../context.ts';
import type { Register } from '../register.ts';
import { say } from '../saying.ts';
import { showReview } from './phase.ts';

interface Options {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly findings: string;
}

export const review: Register = (program, run) => {
  program
    .command('review <item>')
    .description(
      'say whether a claimed change is good, before it is verified, from outside the work; or show the review of a phase',
    )
    .option('--approve', 'the change is good')
    .option('--reject', 'it is not')
    .option('--findings <text>', 'what was found', '')
    .action((ref: string, { approve, reject, findings }: Options) =>
      run(async (cli) => {
        if (approve !== true && reject !== true && (await isOfPhase(cli, ref))) return showReview(cli, ref);
        if ((approve === true) === (reject === true))
          throw new EngineError(
            'BAD_INPUT',
            'say either --approve or --reject',
            `countersign review ${ref} --approve`,
          );
        if (reject === true && findings === '')
          throw new EngineError(
            'BAD_INPUT',
            'a rejection needs findings',
            `countersign review ${ref} --reject --findings "…"`,
          );
        return say(cli, ref, {
          name: 'review',
          kind: 'review',
          verb: 'Approve in review',
          done: 'approved in review',
          approve: approve === true,
          facts: { findings },
          about: claimedTree,
        });
      }),
    );
};

/** Reviews of phases are shown; their verdicts come from their own reviewers (`phase verdict`). */
const isOfPhase = (cli: Cli, ref: string): Promise<boolean> =>
  withStore(cli, async ({ ports }) =>
    ['review', 'reviewer', 'phase'].includes((await findRow(ports, ref)).protocol),
  );

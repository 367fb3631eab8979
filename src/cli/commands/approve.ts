import { claimedTree } from '../../engine/claim-shown.ts';
import type { Register } from '../register.ts';
import { say } from '../saying.ts';

/** A task in stages goes by its name. */
const ITEM = /^(?:(?:T|TASK|GOAL)-)?\d+$/i;

export const approve: Register = (program, run) => {
  program
    .command('approve <item>')
    .description(
      'as a person, at a terminal: approve the tree of a claim, or what of a task in stages is shown',
    )
    .option('--reject', 'refuse it instead')
    .option('--reason <text>', 'why, for the record', '')
    .action((ref: string, { reject, reason }: { reject?: boolean; reason: string }) =>
      run(async (cli) => {
        if (!ITEM.test(ref) && reject !== true)
          return (await import('./task-ends.ts')).approveNamed(cli, ref, cli.session);
        return say(cli, ref, {
          name: 'approve',
          kind: 'approval',
          verb: 'Approve',
          done: 'approved',
          approve: reject !== true,
          facts: { reason },
          about: claimedTree,
        });
      }),
    );
};

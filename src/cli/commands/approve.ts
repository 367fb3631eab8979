import { claimedTree } from '../../engine/claim-shown.ts';
import type { Register } from '../register.ts';
import { say } from '../saying.ts';

export const approve: Register = (program, run) => {
  program
    .command('approve <item>')
    .description('approve the tree of a claim as a person, at a terminal')
    .option('--reject', 'refuse it instead')
    .option('--reason <text>', 'why, for the record', '')
    .action((ref: string, { reject, reason }: { reject?: boolean; reason: string }) =>
      run((cli) =>
        say(cli, ref, {
          name: 'approve',
          kind: 'approval',
          verb: 'Approve',
          done: 'approved',
          approve: reject !== true,
          facts: { reason },
          about: claimedTree,
        }),
      ),
    );
};

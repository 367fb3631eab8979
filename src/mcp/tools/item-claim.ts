import { z } from 'zod';
import { claim } from '../../engine/claim.ts';
import { claimReport } from '../../engine/reports.ts';
import { handOver } from '../../engine/work.ts';
import { item, reason } from '../fields.ts';
import { outcomeReply } from '../reply.ts';
import { rolesFor, STEPS, tool } from '../tool.ts';

/** Says that the work is finished (2PC-57, 2PC-58). */
export const itemClaim = tool({
  name: 'item_claim',
  title: 'Claim an item',
  description: 'Says that the committed work is finished. It is not done: somebody else has it verified.',
  input: z.strictObject({
    item,
    commit: z.string().min(1).max(200).describe('Commit that holds the work, HEAD unless given').optional(),
    evidence: z.array(z.string().min(1).max(500)).max(50).describe('Files, as PATH or TYPE=PATH').optional(),
    no_change: z.boolean().describe('Nothing had to change; needs evidence').optional(),
    reason,
  }),
  annotations: STEPS,
  roles: rolesFor('claim'),
  run: (
    { work, offered },
    { item: ref, commit = 'HEAD', evidence = [], no_change: noChange = false, reason: why = '' },
  ) =>
    work(async (ports, caller) => {
      const outcome = await claim(ports, caller, { ref, commit, evidence, noChange, reason: why });
      const { warnings } = outcome;
      if (outcome.kind === 'refused') return outcomeReply(outcome, offered, 'claim', '');
      const done = [claimReport(outcome.handle), ...warnings.map((w) => `note: ${w}`)].join('\n');
      const more = { verification: handOver(outcome.handle), warnings };
      return outcomeReply(outcome, offered, 'claim', done, more);
    }),
});

import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hardBlockReport, standing } from '../../engine/reports.ts';
import type { Verified } from '../../engine/verify.ts';
import { item } from '../fields.ts';
import { linksOf } from '../links.ts';
import { outcomeReply, type Reply, reply } from '../reply.ts';
import { rolesFor, STEPS, tool } from '../tool.ts';

/** Shorter than the minute after which clients give a call up. */
const WAIT_SECONDS = 45;

/** Asks for a verification; the engine runs the checks and decides (2PC-63). */
export const itemVerify = tool({
  name: 'item_verify',
  title: 'Verify an item',
  description:
    'Has the engine run the criteria on a clean checkout of the claimed commit. It decides. Still running: call again.',
  input: z.strictObject({
    item,
    wait_seconds: z
      .int()
      .min(0)
      .max(600)
      .describe(`How long to wait, ${WAIT_SECONDS} unless given`)
      .optional(),
  }),
  annotations: STEPS,
  roles: rolesFor('verify'),
  run: ({ work, offered, runs }, { item: ref, wait_seconds: wait = WAIT_SECONDS }, context) =>
    work(async (ports, caller) => {
      const waiting = { milliseconds: wait * 1_000, onProgress: progressTo(context) };
      const reached = await runs.reach(ports, caller, ref, waiting);
      if ('last' in reached) return running(ref, reached.last);
      return answer(reached.verified, offered);
    }),
});

function running(ref: string, last: string): Reply {
  const next = [{ by: 'you', tool: 'item_verify', arguments: { item: ref } }];
  const text = `${ref} is being verified (${last}). It is not verified yet.\nnext (you): item_verify ${JSON.stringify({ item: ref })}`;
  return reply({ running: true, next }, text);
}

function answer({ outcome, run, pack }: Verified, offered: ReadonlySet<string>): Reply {
  if (outcome.kind === 'refused') return outcomeReply(outcome, offered, 'verify', '');
  const { handle } = outcome;
  const checks = (run?.checks ?? []).map(({ id, kind, outcome: came, explanation }) => ({
    ...{ id, kind, outcome: came, explanation },
  }));
  const said =
    run?.verdict === 'pass'
      ? `${handle.display} ${standing(handle)}, strength ${pack?.strength}`
      : run?.verdict === 'fail'
        ? hardBlockReport(handle)
        : `${handle.display} could not be verified: ${run?.cause}\nIt is neither verified nor blocked; what could not be checked is not passed.`;
  const done = [...checks.map((c) => `${c.outcome} ${c.id} - ${c.explanation}`), said].join('\n');
  const more = { verdict: pack?.outcome, cause: run?.cause, proofpack: pack?.signed, checks };
  return outcomeReply(outcome, offered, 'verify', done, more, linksOf(handle));
}

/** Progress of a call, for clients that asked for it. */
function progressTo({ mcpReq }: ServerContext): (line: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

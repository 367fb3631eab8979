import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Caller } from '../engine/caller.ts';
import type { Ports } from '../engine/ports.ts';
import { failedReport, standing } from '../engine/reports.ts';
import type { Verified } from '../engine/verify.ts';
import { type Weakness, weaknessLines, weaknessOf } from '../engine/weak.ts';
import type { Desk } from './desk.ts';
import { linksOf } from './links.ts';
import type { Offers } from './offers.ts';
import { outcomeReply, type Reply, reply } from './reply.ts';

/** Shorter than the minute after which clients give a call up. */
const WAIT_SECONDS = 45;

export const waitSeconds = z
  .int()
  .min(0)
  .max(600)
  .describe(`How long to wait, ${WAIT_SECONDS} unless given`)
  .optional();

export interface Asked {
  readonly ref: string;
  readonly notes?: string;
  readonly wait?: number | undefined;
  /** The call that waits on where it is still running. */
  readonly again: { readonly tool: string; readonly arguments: { readonly [name: string]: string } };
}

/** Asks for a verification, or waits on for the one that runs; the engine runs the checks and decides (2PC-63). */
export async function verification(
  { offered, runs }: Pick<Desk, 'offered' | 'runs'>,
  ports: Ports,
  caller: Caller,
  asked: Asked,
  context: ServerContext,
): Promise<Reply> {
  const { ref, notes = '', wait = WAIT_SECONDS } = asked;
  const waiting = { milliseconds: wait * 1_000, onProgress: progressTo(context) };
  const reached = await runs.reach(ports, caller, { ref, notes }, waiting);
  if ('last' in reached) return running(asked, reached.last);
  const { verified } = reached;
  return answer(verified, offered, await weaknessOf(ports, verified.outcome.handle));
}

function running({ ref, again }: Asked, last: string): Reply {
  const next = [{ by: 'you', ...again }];
  const call = `${again.tool} ${JSON.stringify(again.arguments)}`;
  const text = `${ref} is being verified (${last}). It is not verified yet.\nnext (you): ${call}`;
  return reply({ running: true, next }, text);
}

function answer({ outcome, run, pack }: Verified, offered: Offers, weakness: Weakness): Reply {
  if (outcome.kind === 'refused') return outcomeReply(outcome, offered, 'verify', '');
  const { handle } = outcome;
  const checks = (run?.checks ?? []).map(({ id, kind, outcome: came, explanation }) => ({
    ...{ id, kind, outcome: came, explanation },
  }));
  const said =
    run?.verdict === 'pass'
      ? [
          `${handle.display} ${standing(handle)}, strength ${pack?.strength}`,
          ...weaknessLines(weakness),
        ].join('\n')
      : run?.verdict === 'fail' && pack !== undefined
        ? failedReport(handle, pack)
        : `${handle.display} could not be verified: ${run?.cause}\nIt is neither verified nor sent back; what could not be checked is not passed.`;
  const done = [...checks.map((c) => `${c.outcome} ${c.id} - ${c.explanation}`), said].join('\n');
  const more = { verdict: pack?.outcome, cause: run?.cause, proofpack: pack?.signed, checks, ...weakness };
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

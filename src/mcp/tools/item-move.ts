import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { gateOf } from '../../engine/gates.ts';
import { type Handle, loadItem } from '../../engine/handle.ts';
import { expand } from '../../kernel/protocol.ts';
import type { Desk } from '../desk.ts';
import { commit, evidence, item, reason } from '../fields.ts';
import type { Reply } from '../reply.ts';
import { takeStep, takeVerification } from '../taking.ts';
import { everyRole, STEPS, tool } from '../tool.ts';
import { isWord, judge } from './item-judge.ts';
import { isMoveName, take } from './moves.ts';

const argument = z.string().max(2_000);

/** Any step of any protocol: what may be taken is what `next` names. */
export const itemMove = tool({
  name: 'item_move',
  title: 'Move an item',
  description: 'Takes a step of the item’s own protocol, whichever it is. next names the open ones.',
  input: z.strictObject({
    item,
    command: z.string().regex(/^[a-z][a-z-]{0,39}$/, 'is no command: next names them'),
    to: z.string().max(64).describe('The actor or the state that it names').optional(),
    reason,
    commit: commit.optional(),
    evidence: evidence.optional(),
    no_change: z.boolean().optional(),
    approve: z.boolean().describe('With review and sign-off').optional(),
    arguments: z.record(z.string().max(40), argument).describe('Further arguments').optional(),
  }),
  annotations: STEPS,
  roles: everyRole(),
  run: (desk, { item: ref, ...move }, context) => moved(desk, { ref, ...move }, context),
});

interface Move {
  readonly ref: string;
  readonly command: string;
  readonly to?: string | undefined;
  readonly reason?: string | undefined;
  readonly commit?: string | undefined;
  readonly evidence?: readonly string[] | undefined;
  readonly no_change?: boolean | undefined;
  readonly approve?: boolean | undefined;
  readonly arguments?: { readonly [name: string]: string } | undefined;
}

/** The way that the command line takes for the same step. */
async function moved(desk: Desk, move: Move, context: ServerContext): Promise<Reply> {
  const { ref, command, to, reason, approve = true } = move;
  const handle = await loadItem(desk.ports, ref).catch(() => undefined);
  const isTwoPhase = handle?.protocol.name === 'two-phase';
  if (isMoveName(command) && (isTwoPhase || command === 'start'))
    return take(desk, command, { item: ref, to, reason });
  const isRow = handle !== undefined && leadsOn(handle, command);
  // The pass of a gate by its own name is a step as on the command line, and no run of the checks.
  if (command === 'verify' && (!isRow || gateOf(handle)?.pass === command)) {
    const asked = { ref, notes: move.arguments?.notes ?? reason, tool: 'item_move', item: 'item' };
    return takeVerification(desk, { ...asked, more: { command } }, context);
  }
  if (isWord(command) && !isRow)
    return judge(desk, { ref, kind: command, approve, findings: reason === undefined ? [] : [reason] });
  return takeStep(desk, {
    ...{ ref, command, reason, commit: move.commit, evidence: move.evidence, noChange: move.no_change },
    arguments: {
      ...move.arguments,
      ...(to === undefined ? {} : { to }),
      ...(move.commit === undefined ? {} : { commit: move.commit }),
    },
  });
}

const leadsOn = ({ protocol, item: { state } }: Handle, command: string): boolean =>
  protocol.rows.some((row) => row.command === command && expand(protocol, row.from).includes(state));

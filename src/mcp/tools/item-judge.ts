import { z } from 'zod';
import type { Caller } from '../../engine/caller.ts';
import { claimedTree, protectedChanges } from '../../engine/claim-shown.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { isAtGate } from '../../engine/gates.ts';
import { loadItem } from '../../engine/handle.ts';
import type { Ports } from '../../engine/ports.ts';
import { giveQuality } from '../../engine/quality.ts';
import { speak } from '../../engine/voice.ts';
import type { Desk } from '../desk.ts';
import { item, text } from '../fields.ts';
import { outcomeReply, type Reply } from '../reply.ts';
import { rolesSaying, STEPS, tool } from '../tool.ts';

const KINDS = ['review', 'sign-off', 'quality'] as const;

/** A word on work by somebody who did not do it. What its checks gave is never said: the engine runs them. */
export const itemJudge = tool({
  name: 'item_judge',
  title: 'Judge an item',
  description:
    'Your word on work of others: review or sign-off (protected paths) of a claim, quality of what is verified.',
  input: z.strictObject({
    item,
    kind: z.enum(KINDS),
    approve: z.boolean(),
    findings: z.array(text('What was found')).max(50).describe('Needed for a rejection').optional(),
  }),
  annotations: STEPS,
  roles: rolesSaying(...KINDS),
  run: (desk, { item: ref, kind, approve, findings = [] }) => judge(desk, { ref, kind, approve, findings }),
});

type Kind = (typeof KINDS)[number];

interface Judged {
  readonly ref: string;
  readonly kind: Kind;
  readonly approve: boolean;
  readonly findings: readonly string[];
}

/** A word that somebody gives of the work of others, beside the steps of the table. */
export const isWord = (command: string): command is Kind => (KINDS as readonly string[]).includes(command);

/** Records the word. Throws BAD_INPUT for a rejection that says nothing. */
export function judge({ work, offered }: Desk, { ref, kind, approve, findings }: Judged): Promise<Reply> {
  return work(async (ports, caller) => {
    if (!approve && findings.every((finding) => finding.trim() === ''))
      throw new EngineError('BAD_INPUT', 'a rejection needs findings', 'say in findings what is wrong');
    const said =
      kind === 'quality'
        ? {
            lines: [],
            outcome: await giveQuality(ports, caller, ref, approve ? 'APPROVED' : 'REJECTED', findings),
          }
        : await sayOf(ports, caller, ref, kind, approve, findings.join('\n'));
    const word = `${kind} ${approve ? 'approved' : 'rejected'}`;
    const done = [...said.lines, `${said.outcome.handle.display}: ${word} by ${caller.actor.id}`].join('\n');
    const command = kind === 'quality' ? 'report' : kind;
    return outcomeReply(said.outcome, offered, command, done, { judged: said.lines });
  });
}

async function sayOf(
  ports: Ports,
  caller: Caller,
  ref: string,
  kind: 'review' | 'sign-off',
  approve: boolean,
  findings: string,
) {
  const handle = await loadItem(ports, ref);
  const about = kind === 'review' ? claimedTree : protectedChanges;
  // Outside a claim there is nothing to read: the table refuses, and that is recorded.
  const { digest, lines } = isAtGate(handle) ? await about(ports, handle) : { digest: '', lines: [] };
  const outcome = await speak(ports, caller, {
    ...{ ref, name: kind, kind, outcome: approve ? 'approve' : 'reject' },
    commit: handle.item.subjects.commit?.digest ?? '',
    digest,
    facts: kind === 'review' ? { findings } : { reason: findings },
  });
  return { outcome, lines };
}

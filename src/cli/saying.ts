import type { ClaimShown } from '../engine/claim-shown.ts';
import type { Outcome } from '../engine/execute.ts';
import { isAtGate } from '../engine/gates.ts';
import { type Handle, loadItem } from '../engine/handle.ts';
import type { Ports } from '../engine/ports.ts';
import { todoOf } from '../engine/todo.ts';
import { speak, type Voice } from '../engine/voice.ts';
import { answerOutcome } from './answer.ts';
import { type Cli, confirmed, withSession } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { nextText } from './guide.ts';

/** A word on a claim, as a command gives it. */
export interface Saying extends Pick<Voice, 'name' | 'kind' | 'facts'> {
  readonly approve: boolean;
  /** For the question at the terminal: 'Approve', 'Sign off'. */
  readonly verb: string;
  readonly done: string;
  readonly about: (ports: Ports, handle: Handle) => Promise<ClaimShown> | ClaimShown;
}

/** Lets somebody speak about a claim: a person reads and confirms it at the terminal, an agent by its credential. */
export function say(cli: Cli, ref: string, saying: Saying): Promise<ExitCode> {
  const { name, kind, facts, approve, done } = saying;
  return withSession(cli, async ({ ports, caller }) => {
    const handle = await loadItem(ports, ref);
    const { display, id, item } = handle;
    // Outside a claim there is nothing to read: the table refuses, and that is recorded.
    const claimed = isAtGate(handle);
    const { digest, lines } = claimed ? await saying.about(ports, handle) : { digest: '', lines: [] };
    const speaker =
      claimed && caller.actor.kind === 'human'
        ? await confirmed(cli, caller, {
            title: `${approve ? saying.verb : 'Reject'}: ${display} ${item.title}`,
            shown: lines.join('\n'),
            digest,
            purpose: `${name} ${id}/${item.attempt}`,
          })
        : caller;
    const commit = item.subjects.commit?.digest ?? '';
    const outcome = approve ? 'approve' : 'reject';
    const spoken = await speak(ports, speaker, { ref, name, kind, outcome, commit, digest, facts });
    const answer = ({ handle: after, options }: Outcome) => ({
      data: { ...todoOf(after), [kind]: outcome, digest, lines },
      text: [
        ...(caller.actor.kind === 'human' ? [] : lines),
        `${display}: ${approve ? done : `${kind} refused`} by ${caller.actor.id}`,
        ...nextText(after, options, cli.output),
      ].join('\n'),
    });
    return answerOutcome(cli.output, spoken, answer, name);
  });
}

import { accountability } from '../engine/accountability.ts';
import { claimFacts } from '../engine/claim-facts.ts';
import type { Outcome } from '../engine/execute.ts';
import { type Handle, loadItem } from '../engine/handle.ts';
import type { Ports } from '../engine/ports.ts';
import { todoOf } from '../engine/todo.ts';
import { speak, type Voice } from '../engine/voice.ts';
import { answerOutcome } from './answer.ts';
import { type Cli, confirmed, withSession } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { nextText } from './guide.ts';

/** What is read before something is said of a claim, and the digest that the word is bound to. */
export interface Subject {
  readonly digest: string;
  readonly lines: readonly string[];
}

/** A word on a claim, as a command gives it. */
export interface Saying extends Pick<Voice, 'name' | 'kind' | 'facts'> {
  readonly approve: boolean;
  /** For the question at the terminal: 'Approve', 'Sign off'. */
  readonly verb: string;
  readonly done: string;
  readonly about: (ports: Ports, handle: Handle) => Promise<Subject> | Subject;
}

/** Lets somebody speak about a claim: a person reads and confirms it at the terminal, an agent by its credential. */
export function say(cli: Cli, ref: string, saying: Saying): Promise<ExitCode> {
  const { name, kind, facts, approve, done } = saying;
  return withSession(cli, async ({ ports, caller }) => {
    const handle = await loadItem(ports, ref);
    const { display, id, item } = handle;
    // Outside a claim there is nothing to read: the table refuses, and that is recorded.
    const claimed = item.state === 'claimed';
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

/** The claimed tree, with who claimed it: what reviews and approvals are about. */
export function claimedTree(_ports: Ports, handle: Handle): Subject {
  const told = accountability(handle);
  const { tree, base, changed } = claimFacts(handle);
  const lines = [
    `${told.item} ${told.title}`,
    `claimed by ${told.implemented_by} at ${told.claimed_at}`,
    `commit ${told.commit}, ${String(changed)} paths changed since ${String(base).slice(0, 12)}`,
    `tree   ${String(tree)}`,
    `read it with: git diff ${String(base).slice(0, 12)} ${told.commit.slice(0, 12)}`,
  ];
  return { digest: String(tree ?? ''), lines };
}

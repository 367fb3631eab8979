import type { HumanProof } from '../kernel/command.ts';
import { confirmationCode, isCode } from './code.ts';
import { proofId } from './proof.ts';
import { askForLine, askInSecret, closeTerminal, openTerminal } from './terminal.ts';
import type { Random } from './tokens.ts';
import { visible, visibleLine } from './visible.ts';

/** What a person is asked to confirm. */
export interface TerminalQuestion {
  readonly title: string;
  /** What the decision is about, in full: the person sees all of it. */
  readonly shown: string;
  /** Digest of what is shown; the proof is good for nothing else. */
  readonly digest: string;
  readonly purpose: string;
  readonly clock: () => Date;
  readonly random: Random;
}

export type TerminalAnswer =
  | { readonly ok: true; readonly proof: HumanProof }
  | {
      readonly ok: false;
      readonly code: 'no-terminal' | 'cancelled' | 'wrong-code';
      readonly because: string;
      /** The next step for a person. */
      readonly fix: string;
    };

const TRIES = 3;

/**
 * Asks the person at the controlling terminal, past standard input and output, and issues a proof for exactly this
 * digest and purpose when the code printed there is typed back. Where agent and person share a user, a process can
 * make itself a terminal and forge this; such proofs are marked by the level of protection, not by this function.
 */
export async function askOnTerminal(question: TerminalQuestion): Promise<TerminalAnswer> {
  const terminal = openTerminal();
  if (terminal === undefined) return refused('no-terminal');
  try {
    const code = confirmationCode(question.digest, question.random(32));
    terminal.output.write(page(question));
    const answer = await askForLine(terminal, {
      prompt: `Type ${code} to confirm, Ctrl-C to decide nothing: `,
      again: 'That is not the code.\n',
      tries: TRIES,
      accepts: (line) => isCode(line, code),
    });
    // After Ctrl-C the cursor still stands behind the question.
    if (answer === 'cancelled') terminal.output.write('\n');
    if (answer !== 'accepted') return refused(answer === 'wrong' ? 'wrong-code' : 'cancelled');
    return { ok: true, proof: issue(question) };
  } finally {
    closeTerminal(terminal);
  }
}

/** What somebody at another end asks of the person here, whose answer is judged there. */
export interface AskedFrom extends Pick<TerminalQuestion, 'title' | 'shown' | 'digest' | 'purpose'> {
  readonly code: string;
  readonly passphrase: boolean;
}

/** Asks the person at the controlling terminal to type a code that somebody else made. */
export async function answerAtTerminal(
  asked: AskedFrom,
  passphrase: string,
): Promise<{ readonly line: string; readonly passphrase: string; readonly because: string }> {
  const terminal = openTerminal();
  if (terminal === undefined) return { line: '', passphrase: '', because: REASONS['no-terminal'].because };
  try {
    terminal.output.write(page(asked));
    let line = '';
    const answer = await askForLine(terminal, {
      prompt: `Type ${visibleLine(asked.code)} to confirm, Ctrl-C to decide nothing: `,
      again: 'That is not the code.\n',
      tries: TRIES,
      accepts: (typed) => {
        line = typed;
        return isCode(typed, asked.code);
      },
    });
    if (answer === 'cancelled') terminal.output.write('\n');
    const because =
      answer === 'accepted' ? '' : REASONS[answer === 'wrong' ? 'wrong-code' : 'cancelled'].because;
    return { line, passphrase: asked.passphrase ? passphrase : '', because };
  } finally {
    closeTerminal(terminal);
  }
}

/** The passphrase of a person, typed at the controlling terminal and not shown; undefined where there is none, or nothing was typed. */
export async function passphraseAtTerminal(person: string): Promise<string | undefined> {
  const terminal = openTerminal();
  if (terminal === undefined) return undefined;
  try {
    return await askInSecret(terminal, `Passphrase of ${visibleLine(person)}: `);
  } finally {
    closeTerminal(terminal);
  }
}

function issue({ digest, purpose, clock, random }: TerminalQuestion): HumanProof {
  return { id: proofId(random), digest, purpose, at: clock().toISOString(), channel: 'terminal' };
}

/** What was written by others stands behind a bar, so that none of it can pass for a line of ours. */
function page({
  title,
  shown,
  digest,
  purpose,
}: Pick<TerminalQuestion, 'title' | 'shown' | 'digest' | 'purpose'>): string {
  const body = visible(shown).split('\n');
  const lines = [
    '',
    visibleLine(title),
    ...body.map((line) => `  | ${line}`),
    `for:    ${visibleLine(purpose)}`,
    `digest: ${visibleLine(digest)}`,
  ];
  return `${lines.join('\n')}\n`;
}

const REASONS = {
  'no-terminal': {
    because: 'this process has no terminal on which a person could be asked',
    fix: 'A person runs the same command in a terminal of their own.',
  },
  cancelled: {
    because: 'the person at the terminal decided nothing',
    fix: 'Run the command again to be asked again.',
  },
  'wrong-code': {
    because: `the code was not typed in ${TRIES} tries`,
    fix: 'Run the command again: it shows a new code.',
  },
} as const;

function refused(code: keyof typeof REASONS): TerminalAnswer {
  return { ok: false, code, ...REASONS[code] };
}

import type { NotDone, Outcome } from '../engine/execute.ts';
import { toldOf } from '../engine/refusal-told.ts';
import { todoOf } from '../engine/todo.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-code.ts';
import { linesOf } from './guide.ts';
import { type Answer, type Output, printAnswer, printFailure } from './print.ts';

/**
 * Prints what became of a command on an item and answers its exit code. `command` is its name in the table, `words`
 * what has to be typed with it when it is tried again.
 */
export function answerOutcome(
  output: Output,
  outcome: Outcome,
  done: (outcome: Outcome) => Answer,
  command = '',
  words = '',
): ExitCode {
  if (outcome.kind === 'refused') return answerRefusal(output, outcome, command, words);
  printAnswer(output, done(outcome));
  return EXIT.ok;
}

/** Every refusal says what is missing, who may do what, and the exact next command. */
export function answerRefusal(output: Output, refused: NotDone, command = '', words = ''): ExitCode {
  const { handle } = refused;
  const { code, message, missing, failures, evidence, steps } = toldOf(refused, command);
  const next = linesOf(steps, output, words);
  printFailure(output, {
    code,
    message,
    hint: next[0] ?? '',
    lines: [
      ...missing.map((v) => `  - ${v.because}${v.fix === '' ? '' : ` (${v.fix})`}`),
      ...failures.map((failure) => `  - failed: ${failure}`),
      ...(evidence === '' ? [] : [`  - the failure report: ${evidence}`]),
      ...next.slice(1).map((line) => `  or: ${line}`),
    ],
    details: { item: handle.display, state: handle.item.state, missing, next, todo: todoOf(handle) },
  });
  return exitCodeOf(code);
}

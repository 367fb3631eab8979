import { accountability } from '../engine/accountability.ts';
import type { NotDone, Outcome } from '../engine/execute.ts';
import type { Handle } from '../engine/handle.ts';
import { todoOf } from '../engine/todo.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-code.ts';
import { nextLines } from './guide.ts';
import { inWords, verdictsInWords } from './in-words.ts';
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
  const closed = refused.verdicts.filter((v) => v.status === 'unsatisfied' || v.status === 'error');
  const missing = verdictsInWords(refused.handle, closed);
  const lines = [
    ...missing.map((v) => `  - ${v.because}${v.fix === '' ? '' : ` (${v.fix})`}`),
    ...openFailures(refused.handle),
  ];
  const asked = { command, code: refused.code, missing, words };
  const next = nextLines(refused.handle, refused.options, output, asked);
  printFailure(output, {
    code: refused.code,
    message: inWords(refused.handle, refused.because),
    hint: next[0] ?? '',
    lines: [...lines, ...next.slice(1).map((line) => `  or: ${line}`)],
    details: {
      item: refused.handle.display,
      state: refused.handle.item.state,
      missing: missing.map(({ guard, status, because, fix }) => ({ guard, status, because, fix })),
      next,
      todo: todoOf(refused.handle),
    },
  });
  return exitCodeOf(refused.code);
}

/** What stands in the way of a blocked item, and where the report of it is (2PC-23, 2PC-30). */
function openFailures(handle: Handle): readonly string[] {
  if (handle.item.state !== 'blocked') return [];
  const { failures, evidence } = accountability(handle);
  return [...failures.map((failure) => `  - failed: ${failure}`), `  - the failure report: ${evidence}`];
}

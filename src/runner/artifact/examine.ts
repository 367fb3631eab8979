import { constants } from 'node:os';
import { searchPattern } from '../checks/pattern.ts';
import { type Consumer, runInPlace } from './consumer.ts';
import type { Answer, NoAnswer } from './drive.ts';
import type { Example, ExpectedText } from './examples.ts';
import { isExpected, shownValue } from './value.ts';

/** '' when an example holds; else what came instead. `brief` says it without values, for whoever must not see them. */
export interface Finding {
  readonly fault: string;
  readonly brief: string;
}

const fine: Finding = { fault: '', brief: '' };
const finding = (brief: string, detail = ''): Finding => ({ fault: `${brief}${detail}`, brief });

/** Judges the answer to one example's call. */
export function judgeCall({ expected }: Extract<Example, { kind: 'call' }>, answer: Answer): Finding {
  if (answer.kind === 'threw') return judgeThrown(expected, answer.message);
  if (!('value' in answer)) return withoutAnswer(answer);
  if ('throws' in expected)
    return finding('it should have thrown', `, and answered ${shownValue(answer.value)}`);
  if (isExpected(answer.value, expected.returns)) return fine;
  return finding(
    'it answered something else',
    `: ${shownValue(answer.value)} instead of ${shownValue(expected.returns)}`,
  );
}

function judgeThrown(expected: Extract<Example, { kind: 'call' }>['expected'], message: string): Finding {
  if (!('throws' in expected)) return finding('it threw', ` ${shownValue(message)}`);
  return message.includes(expected.throws)
    ? fine
    : finding('it threw something else', `: ${shownValue(message)} lacks ${shownValue(expected.throws)}`);
}

/** What is said about a call that neither returned nor threw. */
export function withoutAnswer(answer: NoAnswer): Finding {
  switch (answer.kind) {
    case 'unloaded':
      return finding('the package cannot be loaded', `: ${shownValue(answer.message)}`);
    case 'absent':
      return finding('there is no such export');
    case 'untold':
      return finding('its answer cannot be written down');
    case 'nothing':
      return finding(`its process ${answer.ended} and gave no answer`);
  }
}

/** Runs a program of the package as a person would, and judges its end and what it printed. */
export async function judgeBin(
  consumer: Consumer,
  example: Extract<Example, { kind: 'bin' }>,
  bins: ReadonlyMap<string, string>,
): Promise<Finding> {
  if (!bins.has(example.bin)) return finding('the package has no such program');
  const ended = await runInPlace(
    consumer,
    [`./node_modules/.bin/${example.bin}`, ...example.args],
    example.stdin,
  );
  // As its own shell has it: a program may well end itself with the number of a signal.
  const exit = ended.exitCode ?? (ended.signal === null ? null : 128 + constants.signals[ended.signal]);
  if (ended.timedOut || ended.overflowed || exit === null)
    return finding(ended.timedOut ? 'it took too long' : 'it did not end by itself');
  if (exit !== example.exit)
    return finding('it ended with another exit code', `: ${exit} instead of ${example.exit}`);
  const printed = ended.stdout.toString('utf8');
  if (example.stdout === undefined || (await fits(printed, example.stdout, consumer.signal))) return fine;
  return finding(
    'it printed something else',
    `: ${shownValue(printed)}, which ${failing[example.stdout.how]} ${shownValue(example.stdout.text)}`,
  );
}

const failing = { equals: 'is not', contains: 'lacks', matches: 'does not match' } as const;
const withoutEnd = (text: string) => text.replace(/\r?\n$/, '');

/** One line end at the end of the whole does not count. */
async function fits(printed: string, { how, text }: ExpectedText, signal: AbortSignal | undefined) {
  if (how === 'equals') return withoutEnd(printed) === withoutEnd(text);
  if (how === 'contains') return printed.includes(text);
  return (await searchPattern(text, printed, 5000, signal)) === 'matches';
}

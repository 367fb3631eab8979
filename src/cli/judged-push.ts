import type { Judged } from '../engine/gated/gate.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type Output, printAnswer, printFailure } from './print.ts';

/** Prints what became of a push, or of what would be one, and answers its exit code: 0, or 3 where anything is refused. */
export function answerJudged(output: Output, judged: readonly Judged[]): ExitCode {
  const refused = judged.filter(({ findings }) => findings.length > 0);
  const updates = judged.map(({ update, ...said }) => ({ ...update, ...said }));
  if (refused.length === 0) {
    const lines = judged.filter(({ guarded }) => guarded).flatMap(takenLines);
    printAnswer(output, { data: { taken: true, updates }, text: lines.join('\n') });
    return EXIT.ok;
  }
  const of =
    judged.length === 1 ? '' : ` (${refused.length} of ${judged.length} refs; nothing of the push is taken)`;
  printFailure(output, {
    code: 'gate-closed',
    message: `${refused
      .map(({ update }) => update.ref)
      .slice(0, 5)
      .join(', ')}${of}`,
    hint: '',
    lines: refused.slice(0, 20).flatMap(refusedLines),
    details: { taken: false, updates },
  });
  return EXIT.refused;
}

const takenLines = ({ update, remarks }: Judged) => remarks.map((remark) => `${update.ref}: ${remark}`);

function refusedLines({ update, findings, remarks }: Judged): readonly string[] {
  return [
    ...findings.flatMap(({ code, says, next }) => [
      `  ${update.ref}: ${says} [${code}]`,
      ...(next === '' ? [] : [`    next: ${next}`]),
    ]),
    ...remarks.map((remark) => `  note: ${remark}`),
  ];
}

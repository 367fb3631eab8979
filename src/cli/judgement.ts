import { EXIT, type ExitCode } from './exit-code.ts';
import { type Output, paint, SCHEMA } from './print.ts';

/** What looking at a record gave: an audit of a store or export, or a look at a proof pack. */
export interface Judgement {
  readonly status: 'clean' | 'broken' | 'cannot-tell';
  readonly findings: readonly { readonly where: string; readonly what: string }[];
  readonly remarks: readonly string[];
  /** Further members of the JSON document. */
  readonly data: { readonly [member: string]: unknown };
  /** Lines for people, before the findings. */
  readonly lines: readonly string[];
}

/** These three answers have exit codes of their own, as docs/formats and docs/audit.md say: 0, 1 and 2. */
const EXITS: { readonly [status in Judgement['status']]: ExitCode } = {
  clean: EXIT.ok,
  broken: EXIT.internal,
  'cannot-tell': EXIT.usage,
};

const STYLE = { clean: 'green', broken: 'red', 'cannot-tell': 'yellow' } as const;
const WORDS = { clean: 'clean', broken: 'broken', 'cannot-tell': 'cannot tell' } as const;

/** Prints a judgement, the report on stdout whatever it says, and answers its exit code. */
export function answerJudgement(output: Output, judgement: Judgement): ExitCode {
  const { status, findings, remarks, data, lines } = judgement;
  if (output.json) {
    const answer = { status, findings, remarks, ...data };
    output.out(`${JSON.stringify({ schema: SCHEMA, ok: status === 'clean', data: answer })}\n`);
    return EXITS[status];
  }
  const text = [
    paint(output, STYLE[status], WORDS[status]),
    ...lines,
    ...findings.map(({ where, what }) => `  ${where}: ${what}`),
    ...remarks.map((remark) => `note: ${remark}`),
  ];
  output.out(`${text.join('\n')}\n`);
  return EXITS[status];
}

/** A judgement that could not be made, with the reason, and what helps. */
export function cannotTell(where: string, what: string, ...remarks: readonly string[]): Judgement {
  return { status: 'cannot-tell', findings: [{ where, what }], remarks, data: {}, lines: [] };
}

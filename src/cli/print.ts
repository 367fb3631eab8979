import { styleText } from 'node:util';

/** Where a command's answer goes. Data goes to stdout, everything else to stderr. */
export interface Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  /** The actor that `--actor` names, '' where the environment says who calls, or nothing does. */
  readonly as: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export const SCHEMA = 'countersign/cli/1';

/** An answer in both forms: one JSON document with --json, else text for people. Only the form asked for is read. */
export interface Answer {
  readonly data: unknown;
  readonly text: string;
}

export function printAnswer(output: Output, answer: Answer): void {
  if (output.json) {
    output.out(`${JSON.stringify({ schema: SCHEMA, ok: true, data: answer.data })}\n`);
    return;
  }
  const { text } = answer;
  if (text !== '') output.out(text.endsWith('\n') ? text : `${text}\n`);
}

/** What went wrong, and what helps. `details` go into the JSON document as they are. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** More lines for people. */
  readonly lines: readonly string[];
  readonly details: { readonly [key: string]: unknown };
}

export function printFailure(output: Output, { code, message, hint, lines, details }: Failure): void {
  if (output.json) {
    const error = { code, message, hint, ...details };
    output.out(`${JSON.stringify({ schema: SCHEMA, ok: false, error })}\n`);
    return;
  }
  const head = `${paint(output, 'red', 'refused:')} ${message}`;
  output.err(`${[head, ...lines, ...(hint === '' ? [] : [`next: ${hint}`])].join('\n')}\n`);
}

/** A remark beside the answer; never on stdout. */
export function note(output: Output, text: string): void {
  if (!output.quiet) output.err(`${text}\n`);
}

/**
 * A command that is proposed to the caller, as they must type it: whoever was named on the command line has to be named
 * there again. What stands before it in the line stays.
 */
export const asTyped = ({ as }: Pick<Output, 'as'>, line: string): string =>
  as === ''
    ? line
    : line.replace(
        /(^|then |run: )countersign (?!--actor )/,
        (_, before) => `${before}countersign --actor ${as} `,
      );

type Style = 'red' | 'green' | 'yellow' | 'dim' | 'bold';

export function paint({ color, json }: Pick<Output, 'color' | 'json'>, style: Style, text: string): string {
  return color && !json ? styleText(style, text) : text;
}

/** Rows as aligned columns, two spaces apart. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

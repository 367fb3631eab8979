const MOST = 20;
const LONGEST = 300;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a sequence
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The end of what a program wrote, for a terminal: at most 20 lines that are not blank, each of at most 300 characters,
 * without colours, and with a space for whatever would not show or would move the cursor.
 */
export function lastLines(output: Uint8Array): readonly string[] {
  return new TextDecoder()
    .decode(output)
    .replace(SEQUENCES, '')
    .split('\n')
    .map((line) => onOneLine(line.replaceAll('\t', '  ').replace(/\r$/, '').replace(/^.*\r/, '')).trimEnd())
    .filter((line) => line !== '')
    .slice(-MOST)
    .map(shortened);
}

/** A text without colours and with nothing that could end the line or change it. */
export const onOneLine = (text: string): string => text.replace(SEQUENCES, '').replace(HIDDEN, ' ');

const shortened = (line: string) => (line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line);

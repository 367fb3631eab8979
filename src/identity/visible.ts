/**
 * Text that shows on a terminal what it contains: control characters, invisible ones and those that reorder a line
 * come out as their code. Otherwise whoever wrote the text could hide a part of it from the person who confirms it.
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) => (character === '\n' || character === '\t' ? character : spelled(character)),
  );
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\t]/g, spelled);
}

function spelled(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

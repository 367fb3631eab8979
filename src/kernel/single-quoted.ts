/** A text as a shell takes it for one word, whatever stands in it. */
export const singleQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A word of a command that is told, quoted only where a shell would take it for something else. */
export const shellWord = (word: string): string =>
  /^[\w./@:+,=%-]+$/.test(word) ? word : singleQuoted(word);

/** A text as a shell takes it for one word, whatever stands in it. */
export const singleQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

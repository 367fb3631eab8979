/** How many lines of a long output are shown. */
const MOST = 5;

/**
 * What a program that failed has to say for itself, in one line. The end of its output says most, but for npm: it names
 * what is wrong first, and ends with how it is used and where its log is.
 */
export function saidOnFailure(output: Buffer): string {
  const lines = output.toString('utf8').trim().split('\n');
  const errors = lines.flatMap((line) => NPM.exec(line)?.[1]?.trim() ?? []);
  const end = errors.findIndex((line) => USAGE.test(line));
  const told = errors
    .slice(0, end < 0 ? errors.length : end)
    .filter((line) => line !== '' && !/^code |^A complete log/.test(line));
  if (told.length > 0) return naming(told).slice(0, MOST).join(' / ').slice(0, 600);
  return lines.slice(-MOST).join(' / ').slice(-600);
}

const NPM = /^npm (?:error|ERR!)(.*)$/;
const USAGE = /^(?:Clean install a project|Usage:|Options:|aliases:)/;

/** Where npm compares the two files, the lines that name a package come first: of many a few will do. */
function naming(lines: readonly string[]): readonly string[] {
  const named = lines.filter((line) => /^(?:Missing|Invalid): /.test(line));
  const more =
    named.length > MOST ? [...named.slice(0, MOST - 1), `and ${named.length - MOST + 1} more`] : named;
  return named.length > 0 ? more : lines;
}

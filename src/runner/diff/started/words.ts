const part = /"((?:\\.|[^"\\])*)"|'([^']*)'|\\([\s\S])|(&&|\|\||[;|&\n()])|([^\s"'\\;|&()]+)|([^\S\n]+)/g;

/**
 * A command line of a shell as its commands, each a list of words. Quotes are taken away; what only a shell could work
 * out stands as it was written.
 */
export function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (const [, double, single, escaped, separator, plain] of line.matchAll(part)) {
    if (separator !== undefined) {
      end();
      commands.push([]);
      continue;
    }
    const more = double?.replaceAll(/\\(.)/g, '$1') ?? single ?? escaped ?? plain;
    if (more === undefined) end();
    else word = (word ?? '') + (more === '\n' ? '' : more);
  }
  end();
  return commands.filter((words) => words.length > 0);
}

/** The name of a program without its folder and ending. */
export const programIn = (word: string): string =>
  word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd|[cm]?js)$/, '');

/** Programs that start what stands behind them. */
const STARTERS =
  /^(?:npx|bunx|pnpx|env|cross-env|cross-env-shell|time|nice|timeout|exec|xvfb-run|dotenv|c8|nyc|command|--|\d+[smh]?|\w+=.*)$/;

/** The words from the program on that the command is about. */
export function withoutStarters(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !STARTERS.test(programIn(word)) && !STARTERS.test(word));
  return at < 0 ? [] : words.slice(at);
}

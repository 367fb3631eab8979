const FURTHEST = 2;

/**
 * The option that a misspelt word most likely stands for, undefined where none is near: at most two letters may be
 * missing, added, changed or swapped, and never more than a third of the word.
 */
export function nearest(word: string, options: readonly string[]): string | undefined {
  const most = Math.min(FURTHEST, Math.ceil(word.length / 3));
  const plain = (text: string) => text.toLowerCase().replaceAll('_', '-');
  const near = options
    .filter((option) => Math.abs(option.length - word.length) <= most)
    .map((option) => ({ option, steps: lettersWrong(plain(word), plain(option)) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.option;
}

/** The same as the end of a sentence: '; did you mean x?', or '' where nothing is near. */
export function didYouMean(word: string, options: readonly string[]): string {
  const found = nearest(word, options);
  return found === undefined ? '' : `; did you mean ${found}?`;
}

/** How many letters have to be added, removed, changed, or swapped with their neighbour. */
export function lettersWrong(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]?.push(
        Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped ? at(i - 2, j - 2) + 1 : changed),
      );
    }
  }
  return at(a.length, b.length);
}

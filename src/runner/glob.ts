/**
 * True when a path fits a pattern: `*` and `?` stay within one folder, `**` crosses folders. Case counts.
 * Takes steps in proportion to both lengths: pattern and path come from people who may not mean well.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const characters = [...path];
  // Which numbers of characters the tokens so far can have used up.
  let used: readonly boolean[] = [true, ...characters.map(() => false)];
  for (const token of pattern.match(/\*\*\/|\*\*|./gsu) ?? []) used = after(token, used, characters);
  return used.at(-1) === true;
}

function after(token: string, used: readonly boolean[], path: readonly string[]): readonly boolean[] {
  const before = (i: number) => path[i - 1];
  if (token === '*') return runs(used, (i) => before(i) !== '/');
  if (token === '**') return runs(used, () => true);
  if (token === '**/') {
    const inside = runs(used, () => true);
    return used.map((here, i) => here || (i > 0 && inside[i - 1] === true && before(i) === '/'));
  }
  const fits = (i: number) => (token === '?' ? before(i) !== '/' : before(i) === token);
  return used.map((_, i) => i > 0 && used[i - 1] === true && fits(i));
}

/** From every place reached, on over as many characters as may be passed. */
function runs(used: readonly boolean[], passes: (i: number) => boolean): readonly boolean[] {
  const next: boolean[] = [];
  used.forEach((here, i) => {
    next.push(here || (i > 0 && next[i - 1] === true && passes(i)));
  });
  return next;
}

/** Whether another statement can follow this one, wherever it stands. */
export function standsAlone(bare: string, from: number, to: number): boolean {
  const before = bare.slice(0, from).trimEnd();
  const after = /^[^\S\n]*(?:\n\s*)?(?:[;}]|$|(?<=\n\s*)(?!(?:else|in|of|instanceof|as|satisfies)\b)[\w$'"])/;
  if (!after.test(bare.slice(to))) return false;
  if (before.endsWith(')'))
    return !/\b(?:if|for|while|with|await)\s*$/.test(before.slice(0, openedBy(before)));
  return /[;{}]$|^$/.test(before);
}

/** Where the bracket opens that the text ends with. */
function openedBy(bare: string): number {
  let depth = 0;
  for (let at = bare.length - 1; at >= 0; at -= 1) {
    if (bare.charAt(at) === ')') depth += 1;
    else if (bare.charAt(at) === '(' && --depth === 0) return at;
  }
  return 0;
}

/** Branches that a command of git moves, makes anew or removes by their names, wherever it is run (PROTO-79). */
export function branchesMoved(command: string, rest: readonly string[]): readonly string[] {
  const named = rest.filter((word) => !word.startsWith('-'));
  switch (command) {
    case 'branch':
      if (rest.some((word) => /^(-\w*[dDmMcC]|--(delete|move|copy))/.test(word))) return named.map(shortOf);
      return rest.some((word) => /^(-\w*f|--force)/.test(word)) ? named.slice(0, 1).map(shortOf) : [];
    case 'update-ref':
      return named.slice(0, 1).map(shortOf);
    case 'push':
      return named.slice(1).map((spec) => shortOf(spec.replace(/^\+/, '').split(':').at(-1) ?? ''));
    case 'fetch':
      return named
        .slice(1)
        .flatMap((spec) => (spec.includes(':') ? shortOf(spec.split(':').at(-1) ?? '') : []));
    case 'checkout':
    case 'switch':
    case 'worktree':
      return rest.flatMap((word, n) => (/^-[BC]$/.test(word) ? shortOf(rest[n + 1] ?? '') : []));
    default:
      return [];
  }
}

const shortOf = (name: string) => name.replace(/^(refs\/)?heads\//, '');

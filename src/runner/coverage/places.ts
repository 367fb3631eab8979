import type { FileCoverage } from '../parsers/coverage/coverage-report.ts';

/**
 * Finds the files of a report in the checkout: by their place below it or below a folder that the report names, else,
 * where a report writes a module's name before the path, by the one changed path that theirs ends with.
 */
export function placesOf(
  files: readonly FileCoverage[],
  roots: readonly string[],
  checkout: string,
  changed: readonly string[],
): ReadonlyMap<string, ReadonlyMap<number, boolean>> {
  const found = new Map<string, Map<number, boolean>>();
  for (const { path, lines } of files) {
    const place = placeOf(path.replaceAll('\\', '/'), roots, checkout, changed);
    if (place === undefined) continue;
    const known = found.get(place) ?? new Map<number, boolean>();
    for (const [line, ran] of lines) known.set(line, ran || known.get(line) === true);
    found.set(place, known);
  }
  return found;
}

function placeOf(
  path: string,
  roots: readonly string[],
  checkout: string,
  changed: readonly string[],
): string | undefined {
  if (path.startsWith('/')) return below(path, checkout);
  const candidates = [
    path,
    ...roots.map((root) => below(`${root.replace(/\/$/, '')}/${path}`, checkout) ?? ''),
  ];
  const named = candidates.map(tidy).find((place) => changed.includes(place));
  if (named !== undefined) return named;
  const ending = changed.filter((place) => path.endsWith(`/${place}`));
  const longest = ending.sort((a, b) => b.length - a.length)[0];
  return longest ?? tidy(path);
}

/** A path relative to the checkout; one that lies elsewhere is of another checkout and says nothing about this one. */
function below(path: string, checkout: string): string | undefined {
  if (!path.startsWith('/')) return tidy(path);
  return path.startsWith(`${checkout}/`) ? tidy(path.slice(checkout.length + 1)) : undefined;
}

const tidy = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '.' && part !== '')
    .join('/');

import { isTestFile, testPatterns } from '../test-files.ts';

/** Where the product lies: a folder of it cannot be taken for tests as a whole. */
const PRODUCT = /^(?:src|lib|app|source|dist|build|out|packages|bin)(?:\/|$)/;
const TESTS = /^(?:tests?|spec|__tests__)$/;

/** The usual patterns, without those that another one holds: two stars stand for no folder as well. */
export const usualPatterns = testPatterns.filter((pattern) => !testPatterns.includes(`**/${pattern}`));

/**
 * Patterns of the tests that a command names, where the usual ones do not say the same: these as well, as soon as one
 * of the places is usual or there is a folder of tests at the top. undefined where the usual ones are enough.
 */
export function patternsFor(
  places: readonly string[],
  names: readonly string[],
): readonly string[] | undefined {
  const all = places.flatMap((place) => alternatives(place.replace(/^(?:\.\/)+/, '')));
  const strange = all.filter((place) => !isTestFile(sampleOf(place)));
  const own = [...new Set(strange.flatMap(patternOf))];
  if (own.length === 0) return undefined;
  const isMixed = strange.length < all.length || names.some((name) => TESTS.test(name));
  return isMixed ? [...own, ...usualPatterns] : own;
}

/** `{a,b}` is more than one pattern. */
function alternatives(pattern: string): readonly string[] {
  const [whole, inside] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (whole === undefined || inside === undefined) return [pattern];
  return inside.split(',').flatMap((each) => alternatives(pattern.replace(whole, () => each)));
}

const isFolder = (place: string) => !/[*?[]/.test(place) && !/\.\w+$/.test(place.replace(/^.*\//, ''));

/** A file that the place could mean. */
const sampleOf = (place: string): string =>
  isFolder(place)
    ? `${place.replace(/\/$/, '')}/x.js`
    : place.replaceAll('**/', '').replace(/\*+|\?|\[.*?\]/g, 'x');

function patternOf(place: string): readonly string[] {
  if (place.startsWith('/') || place.split('/').includes('..')) return [];
  if (isFolder(place)) {
    const folder = place.replace(/\/$/, '');
    return folder === '' || folder === '.' ? [] : [`${folder}/**`];
  }
  const [, above = ''] = /^((?:[^*?[/]+\/)*)/.exec(place) ?? [];
  const folder = above.replace(/\/$/, '');
  // A pattern with words of its own, such as *.t.js, tells tests and other files apart.
  const isAny = !/[*?[]/.test(place) || /^[*/]+(?:\.[cm]?[jt]sx?)?$/.test(place.slice(above.length));
  if (folder !== '' && !PRODUCT.test(folder) && isAny) return [`${folder}/**`];
  return place.includes('[') ? [] : [place];
}

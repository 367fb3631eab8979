import type { ChangedFile, ClaimedItem } from '../change.ts';
import { matchesGlob } from '../glob.ts';
import { isTestFile } from '../test-files.ts';
import { isDocument } from './documents.ts';
import { type Finding, namesOf } from './finding.ts';
import { isProtectedPath } from './protected.ts';

/**
 * What was asked for decides what may be handed in: the kind of an item is its opener's word, never the builder's.
 * `isProduct` tells what belongs to the product whatever its path says; `isTestsAlone` tells sources of which nothing but the tests inside of them changed.
 */
export function kindFindings(
  files: readonly ChangedFile[],
  item: ClaimedItem,
  testPatterns: readonly string[],
  isProduct: (path: string) => boolean,
  isTestsAlone: (path: string) => boolean = () => false,
): readonly Finding[] {
  const paths = files.map(({ path }) => path);
  if (item.noChange) return outside(paths, 'the claim says that nothing had to change, and these files did');
  if (item.kind === 'research' || item.kind === 'verification-only')
    return outside(
      item.whole ? [] : paths.filter((path) => isProduct(path) || !isText(path, testPatterns)),
      `an item of kind ${item.kind} may leave documentation only: what programs use is judged as code`,
    );
  if (paths.length === 0)
    return [whole('empty-diff', `an item of kind ${item.kind} has to change something`)];
  switch (item.kind) {
    case 'docs':
      return outside(
        files
          .filter((file) => isProduct(file.path) || !(isText(file.path, testPatterns) || isNewPicture(file)))
          .map(({ path }) => path),
        'an item of kind docs may change documentation and add pictures, and nothing else: whoever opens items chooses another kind for this (chore, code)',
      );
    case 'tests':
      return outside(
        paths.filter((path) => isProduct(path) || !(isTestFile(path, testPatterns) || isTestsAlone(path))),
        'an item of kind tests may change tests only',
      );
    case 'refactor':
    case 'chore':
      return [];
    default:
      return paths.some((path) => (isSource(path, testPatterns) && !isTestsAlone(path)) || isProduct(path))
        ? []
        : [whole('no-source-change', 'only tests, documentation or settings changed, and no source file')];
  }
}

/** Files outside of the paths that the criteria allow. */
export const scopeFindings = (files: readonly ChangedFile[], allow: readonly string[]): readonly Finding[] =>
  allow.length === 0
    ? []
    : outside(
        files.map(({ path }) => path).filter((path) => !allow.some((pattern) => matchesGlob(path, pattern))),
        'outside of the paths that the criteria allow',
      );

/** No program of base shows a picture that was not there; documentation does. */
const isNewPicture = ({ path, status }: ChangedFile) =>
  status === 'added' && /\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(path);

/** Documentation beside tests, such as texts that a test reads, belongs to the tests, unless it says to read it. */
const isText = (path: string, testPatterns: readonly string[]) =>
  isDocument(path) && (!isTestFile(path, testPatterns) || /(^|\/)README[^/]*$/i.test(path));

const isSource = (path: string, testPatterns: readonly string[]) =>
  !isTestFile(path, testPatterns) && !isDocument(path) && !isProtectedPath(path);

const whole = (reason: Finding['reason'], message: string): Finding => ({
  reason,
  path: '',
  message,
  signable: false,
});

const outside = (paths: readonly string[], because: string): readonly Finding[] =>
  paths.length === 0 ? [] : [whole('out-of-scope', `${because}: ${namesOf(paths)}`)];

import { matchesGlob } from '../glob.ts';
import { isProgram } from './listing.ts';

// biome-ignore format: one line for each kind
const documents: readonly string[] = [
  '**/*.md', '**/*.mdx', '**/*.markdown', '**/*.rst', '**/*.adoc', '**/*.txt', 'docs/**', 'doc/**',
  '**/LICENSE', '**/LICENCE', '**/COPYING', '**/NOTICE', '**/AUTHORS', '**/README', '**/CHANGELOG', '**/CHANGES',
];

/** Named like a text for people, and read by programs. */
const read = ['**/requirements*.txt', '**/constraints*.txt', '**/CMakeLists.txt', '**/robots.txt'];

/** Whether a path is documentation by its name alone; what it says is not looked at. */
export const isDocument = (path: string): boolean =>
  documents.some((pattern) => matchesGlob(path, pattern)) &&
  !read.some((pattern) => matchesGlob(path, pattern));

const FOR_PEOPLE =
  /^docs?\/|(?:^|\/)(?:readme|changelog|changes|history|news|licen[cs]e|copying|notice|authors|contributing|security)(?![a-z])[^/]*$|^[^/]+\.(?:mdx?|markdown|rst|adoc)$/i;

/**
 * Documentation that is for people by its name, at the top, or in the folder for it. Anywhere else a program may well load
 * it: prompts, posts, lists of words.
 */
export const isForPeople = (path: string): boolean =>
  FOR_PEOPLE.test(path) && isDocument(path) && !isProgram(path);

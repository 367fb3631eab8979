import { matchesGlob } from '../glob.ts';

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

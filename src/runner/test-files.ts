import { matchesGlob } from './glob.ts';

/** Where tests lie unless the criteria say otherwise. */
// biome-ignore format: one line for each kind of project
export const testPatterns: readonly string[] = [
  '**/*.test.*', '**/*.spec.*', '**/*_test.*', '**/test_*.py', '**/*-test.*', '**/tests.rs', '**/*_tests.rs',
  'test/**', '**/test/**', 'tests/**', '**/tests/**', '**/__tests__/**', 'spec/**', '**/spec/**',
  'test.js', '**/test.js', '**/conftest.py',
  '**/fixtures/**', '**/__fixtures__/**', '**/test-fixtures/**', '**/__testfixtures__/**', '**/testdata/**', '**/test-data/**',
  '**/test_data/**', '**/golden/**', '**/goldens/**', '**/__golden__/**', '**/*.golden', '**/__snapshots__/**',
  '**/__image_snapshots__/**', '**/*.snap', '**/__mocks__/**',
];

// Our own patterns are many, and asked of every file of a repository; those of others may be made to take for ever.
const byDefault = new RegExp(
  `^(?:${testPatterns
    .map((pattern) =>
      pattern
        .split(/(\*\*\/|\*\*|\*)/)
        .map(inExpression)
        .join(''),
    )
    .join('|')})$`,
  'u',
);

function inExpression(part: string): string {
  if (part === '**/') return '(?:[^]*/)?';
  if (part === '**') return '[^]*';
  return part === '*' ? '[^/]*' : part.replaceAll('.', '\\.');
}

/** Whether a path belongs to the tests: the files themselves, their fixtures and their snapshots. */
export const isTestFile = (path: string, patterns: readonly string[] = testPatterns): boolean =>
  patterns === testPatterns ? byDefault.test(path) : patterns.some((pattern) => matchesGlob(path, pattern));

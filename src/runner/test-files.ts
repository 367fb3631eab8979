import { matchesGlob } from './glob.ts';

/** Where tests lie unless the criteria say otherwise. */
// biome-ignore format: one line for each kind of project
export const testPatterns: readonly string[] = [
  '**/*.test.*', '**/*.spec.*', '**/*_test.*', '**/test_*.py', '**/*-test.*',
  'test/**', '**/test/**', 'tests/**', '**/tests/**', '**/__tests__/**', 'spec/**', '**/spec/**',
  'test.js', '**/test.js', '**/conftest.py', '**/__snapshots__/**', '**/__fixtures__/**',
];

/** Whether a path belongs to the tests: the files themselves, their fixtures and their snapshots. */
export const isTestFile = (path: string, patterns: readonly string[] = testPatterns): boolean =>
  patterns.some((pattern) => matchesGlob(path, pattern));

import { expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';
import { isTestFile, testPatterns } from './test-files.ts';

// biome-ignore format: one line for each kind
const paths = [
  'a.test.ts', 'src/a.test.ts', 'src/a.spec.js', 'a/b_test.go', 'test_a.py', 'a/test_a.py', 'a-test.js', 'test/a', 'a/test/b/c.js', 'tests/a.js',
  'a/__tests__/b.ts', 'spec/a.rb', 'a/spec/b.rb', 'test.js', 'a/test.js', 'conftest.py', 'a/conftest.py', 'fixtures/a.json', 'a/fixtures/b/c.txt',
  '__fixtures__/a', 'test-data/a', 'a/testdata/b', 'golden/a', 'a.golden', 'a/b.golden', '__snapshots__/a.snap', 'src/snapshots/a.snap', '__mocks__/fs.js',
  'src/a.ts', 'src/testing.ts', 'src/contest/a.ts', 'latest.js', 'a/latest/b', 'fixtures', 'src/fixtures.ts', 'golden.ts', 'a.snap.ts', 'atest_a.py',
  'src/a_test', 'testdata.json', 'xtest/a.js', '.test.a', 'a\nb/test/c', 'ä/tests/ö.js',
];

it.each(paths)('%j is a test by its patterns, or is none', (path) =>
  expect(isTestFile(path)).toBe(testPatterns.some((pattern) => matchesGlob(path, pattern))),
);

it('expected values, snapshots and mocks of the usual folders belong to the tests', () => {
  for (const path of paths.slice(17, 28)) expect(isTestFile(path), path).toBe(true);
  for (const path of paths.slice(28, 42)) expect(isTestFile(path), path).toBe(path === '.test.a');
});

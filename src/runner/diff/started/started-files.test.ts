import { describe, expect, it } from 'vitest';
import { baseOf } from '../../../../tests/change-of.ts';
import { testPatterns } from '../../test-files.ts';
import { startedFiles } from './started-files.ts';

type Files = Readonly<Record<string, string>>;
type Scripts = Readonly<Record<string, string>>;

const manifest = (scripts: Scripts, more: object = {}) => ({
  'package.json': JSON.stringify({ main: 'src/index.js', scripts, ...more }),
});
const started = async (files: Files, argv: readonly string[], directory = '', watched = false) => {
  const found = await startedFiles(baseOf(files), [{ argv, directory, watched }], testPatterns);
  return { protected: [...found.files.keys()].sort(), tests: [...found.tests].sort(), found };
};
const repository: Files = {
  'src/index.js': '',
  'src/lib/deep.js': '',
  'run-tests.js': "const { sum } = require('./src/index.js');",
  'scripts/lint.js': "require('./rules.js'); require('../src/lib/deep.js');",
  'scripts/rules.js': '',
  'scripts/other.js': '',
  'scripts/all.sh': '#!/bin/sh\nset -e\nnode scripts/lint.js\n',
  'setup.cjs': '',
  't/neg.js': "test('negates', () => {});",
  't/sum.js': '',
};

describe('what a check starts', () => {
  it.each<[string, readonly string[], Scripts, readonly string[]]>([
    [
      'a script',
      ['npm', 'run', 'lint'],
      { lint: 'node scripts/lint.js' },
      ['scripts/lint.js', 'scripts/rules.js'],
    ],
    ['the tests', ['npm', 'test'], { test: 'node run-tests.js' }, ['run-tests.js']],
    ['itself', ['node', './run-tests.js'], {}, ['run-tests.js']],
    ['by other managers', ['pnpm', '--silent', 'lint'], { lint: 'node scripts/other' }, ['scripts/other.js']],
    ['by node', ['node', '--run', 'lint'], { lint: 'node scripts/other.js' }, ['scripts/other.js']],
    [
      'several',
      ['npx', 'run-s', 'lint:*'],
      { 'lint:a': 'tsx scripts/other.js', 'lint:b': 'eslint src/index.js' },
      ['scripts/other.js'],
    ],
    [
      'before and after',
      ['npm', 'test'],
      { pretest: 'npm run b', test: 'vitest', b: 'node scripts/other.js' },
      ['scripts/other.js'],
    ],
    [
      'by a shell',
      ['/bin/sh', '-c', 'CI=1 bash scripts/all.sh && true'],
      {},
      ['scripts/all.sh', 'scripts/lint.js', 'scripts/rules.js'],
    ],
    ['by its own path', ['./scripts/all.sh'], {}, ['scripts/all.sh', 'scripts/lint.js', 'scripts/rules.js']],
    ['in another folder', ['sh', '-c', 'cd scripts; node other.js'], {}, ['scripts/other.js']],
    [
      'behind wrappers',
      ['npx', 'cross-env', 'A=1', 'c8', 'node', '--no-warnings', 'scripts/other.js'],
      {},
      ['scripts/other.js'],
    ],
    ['as code', ['node', '-e', "require('./scripts/other.js')"], {}, ['scripts/other.js']],
    [
      'what is loaded first',
      ['mocha', '--require', './setup.cjs', '-r', './scripts/other'],
      {},
      ['scripts/other.js', 'setup.cjs'],
    ],
    ['what is imported first', ['node', '--import=./setup.cjs', '--test'], {}, ['setup.cjs']],
    [
      'together',
      ['npx', 'concurrently', 'npm:lint', 'npm run b'],
      { lint: 'node setup.cjs', b: 'node scripts/other.js' },
      ['scripts/other.js', 'setup.cjs'],
    ],
  ])('takes part: %s', async (_, argv, scripts, files) =>
    expect((await started({ ...repository, ...manifest(scripts) }, argv)).protected).toEqual(files),
  );

  it.each<[string, readonly string[], Scripts]>([
    ['the program itself', ['npm', 'test'], { test: 'node src/index.js --check' }],
    [
      'what nobody runs',
      ['npm', 'test'],
      { test: 'vitest', start: 'node run-tests.js', lint: 'node scripts/lint.js' },
    ],
    ['what a linter looks at', ['npx', 'eslint', 'run-tests.js', 'scripts'], {}],
    ['what is copied', ['sh', '-c', 'cp -r src/lib/deep.js dist; tsc -p src'], {}],
    ['what is not there', ['node', 'scripts/none.js'], {}],
  ])('does not take part: %s', async (_, argv, scripts) =>
    expect((await started({ ...repository, ...manifest(scripts) }, argv)).protected).toEqual([]),
  );

  it('is found in the folder of the command, and in packages of the repository', async () => {
    const files = {
      ...repository,
      'a/package.json': manifest({ test: 'node check.js' })['package.json'],
      'a/check.js': '',
    };
    expect((await started(files, ['npm', 'test'], 'a')).protected).toEqual(['a/check.js']);
    const all = { ...files, ...manifest({ test: 'npm test --workspaces' }) };
    expect((await started(all, ['npm', 'test'])).protected).toEqual(['a/check.js']);
  });

  it('goes through Makefiles, Python and what scripts expect', async () => {
    const Makefile =
      'PY = python3\nall: build\nbuild:\n\techo\ncheck: lint\n\t@$(PY) -m tools.check\nlint:\n\tsh tools/lint.sh\n';
    const files = { Makefile, 'tools/check.py': '', 'tools/lint.sh': '', 'tools/other.py': '' };
    expect((await started(files, ['make', 'check'])).protected).toEqual(['tools/check.py', 'tools/lint.sh']);
    expect((await started(files, ['make'])).protected).toEqual([]);
    const own = {
      ...manifest({}),
      'run.js': "read('./expected.json'); read('./package.json'); read('./style.css')",
      'expected.json': '',
      'style.css': '',
    };
    expect((await started(own, ['node', 'run.js'])).protected).toEqual(['expected.json', 'run.js']);
  });

  it('goes through the settings of runners', async () => {
    const files = {
      ...repository,
      'vitest.config.ts':
        "import { a } from './shared.ts';\nexport default { test: { setupFiles: ['./setup.cjs'], alias: { x: './src/lib/deep.js' }, globalSetup: './scripts/other.js' } };",
      'shared.ts': '',
      'check.js': '',
      'hooks.js': '',
      '.mocharc.yml': 'require:\n  - ./check.js\nspec: t/sum.js\n',
      ...manifest({}, { jest: { setupFilesAfterEnv: ['<rootDir>/hooks.js'] } }),
    };
    expect((await started(files, ['vitest'])).protected).toEqual([
      'check.js',
      'hooks.js',
      'scripts/other.js',
      'setup.cjs',
      'shared.ts',
    ]);
  });
});

describe('tests that a command names', () => {
  it('are tests, and may grow where nothing else looks after them', async () => {
    const files = { ...repository, ...manifest({ test: 'node --test t/neg.js t/sum.js' }) };
    expect(await started(files, ['npm', 'test'], '', true)).toMatchObject({
      protected: [],
      tests: ['t/neg.js', 't/sum.js'],
    });
    const { found } = await started(files, ['npm', 'test']);
    expect(found.files.get('t/sum.js')).toEqual({
      because: 'a check starts it by the script test',
      mayGrow: true,
    });
    const { found: mocha } = await started(files, ['npx', 'mocha', 't/*.js'], '', true);
    expect([mocha.isPlace('t/sum.js'), mocha.isPlace('src/index.js')]).toEqual([true, false]);
  });

  it('are those of the usual folders too, when they are programs of their own', async () => {
    const files = { 'test/run.js': "require('./a.js')", 'test/a.js': '' };
    const { found } = await started(files, ['node', 'test/run.js']);
    expect([...found.files]).toEqual([['test/run.js', { because: 'a check starts it', mayGrow: true }]]);
    expect((await started(files, ['node', 'test/run.js'], '', true)).protected).toEqual([]);
  });
});

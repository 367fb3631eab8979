import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCriteria } from './criteria.ts';
import { ciTestLines } from './propose/ci.ts';
import type { ProjectFiles } from './propose/project.ts';
import { proposeCriteria } from './propose.ts';

function project(files: Readonly<Record<string, string>>): ProjectFiles {
  const paths = Object.keys(files);
  return {
    names: [...new Set(paths.map((path) => path.split('/')[0] ?? ''))],
    read: async (path) => (path in files ? new TextEncoder().encode(files[path]) : undefined),
    list: async (folder) =>
      paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
  };
}

const tier = async (
  wanted: 'light' | 'standard' | 'strict',
  files: Readonly<Record<string, string>>,
  name = 'default',
) => {
  const proposal = await proposeCriteria(project(files), { tier: wanted, name });
  return { ...proposal, document: parse(proposal.text) };
};

const LIBRARY = {
  'package.json': JSON.stringify({
    name: 'lists',
    version: '1.0.0',
    main: 'dist/index.js',
    scripts: { test: 'vitest run', typecheck: 'tsc --noEmit', lint: 'biome check', build: 'tsc' },
    devDependencies: { vitest: '4', '@vitest/coverage-v8': '4' },
  }),
};

describe('the tiers', () => {
  it('light runs the tests and nothing else, and names the others', async () => {
    const { document, found, text } = await tier('light', LIBRARY);
    expect(found).toEqual(['tests']);
    expect(document).toMatchObject({ tier: 'light', checks: [{ id: 'tests', kind: 'command' }] });
    expect(text).toContain('countersign criteria init --tier standard');
    expect(text).toContain('countersign criteria init --tier strict');
  });

  it('standard tries the tools, before any test ran beside them, the tests and the change', async () => {
    const { document } = await tier('standard', LIBRARY);
    expect(document.checks.map((c: { id: string; kind: string }) => `${c.id} ${c.kind}`)).toEqual([
      'typecheck command',
      'lint command',
      'tests tests',
      'change diff',
    ]);
    expect(document.checks[2]).not.toHaveProperty('controls');
    expect(document.setup).toBeUndefined();
  });

  it('strict adds mutants, coverage, the package and a review', async () => {
    const { document, found } = await tier('strict', LIBRARY, 'release');
    expect(found.slice(4)).toEqual(['mutants', 'coverage', 'package', 'reviewed']);
    expect(document).toMatchObject({ name: 'release', setup: { build: [['npm', 'run', 'build']] } });
    expect(document.checks[2].run).toContain('--coverage.reporter=lcov');
    expect(document.checks[4]).toMatchObject({ of: 'tests' });
    expect(document.checks[5]).toMatchObject({ path: 'coverage/lcov.info', format: 'lcov' });
  });

  it('names acceptance examples only where there are some: a missing file leaves the check open', async () => {
    const named = 'examples: .countersign/acceptance/default.yaml';
    const without = await tier('strict', LIBRARY);
    expect(without.document.checks.at(-2)).toEqual({ id: 'package', kind: 'artifact', pack: 'npm' });
    const files = {
      ...LIBRARY,
      '.countersign/acceptance/default.yaml': 'schema: countersign/acceptance/1\n',
    };
    expect((await tier('strict', files)).text).toContain(`\n    ${named}`);
  });

  it.each([
    ['a private package', { private: true }],
    ['a package without an entry', { main: undefined }],
  ])('strict packs nothing for %s', async (_, more) => {
    const manifest = { ...JSON.parse(LIBRARY['package.json']), ...more };
    const { found } = await tier('strict', { 'package.json': JSON.stringify(manifest) });
    expect(found).not.toContain('package');
  });

  it('asks for coverage only where the tests produce it', async () => {
    const bare = { name: 'x', version: '1.0.0', private: true, scripts: { test: 'vitest run' } };
    const without = await tier('strict', { 'package.json': JSON.stringify(bare) });
    expect(without.found).toEqual(['tests', 'change', 'mutants', 'reviewed']);
    expect(without.text).not.toContain('coverage');
    const python = await tier('strict', { 'requirements-dev.txt': 'pytest\npytest-cov\n' });
    expect(python.document.checks.find((c: { id: string }) => c.id === 'coverage')).toMatchObject({
      format: 'cobertura',
    });
  });

  it('asks none of several test programs to show the change: it may be about another one', async () => {
    const { found, document, notes } = await tier('strict', { 'go.mod': '', 'Cargo.toml': '' });
    expect(found).toEqual(['go-tests', 'cargo-tests', 'change', 'reviewed']);
    for (const check of document.checks.slice(0, 2))
      expect(check.controls).toEqual(['canary', 'census', 'base-tests']);
    expect(notes.join('\n')).toContain('several test programs');
  });

  it.each(['light', 'standard', 'strict'] as const)('%s is what the runner reads', async (wanted) => {
    const { text, found } = await tier(wanted, LIBRARY);
    const { checks } = await parseCriteria(new TextEncoder().encode(text), 'default.yaml');
    expect(checks.map(({ id }) => id)).toEqual(found);
  });

  it.each(['light', 'standard', 'strict'] as const)(
    'keeps a program without a report a plain command in %s: controls need names',
    async (wanted) => {
      const { document } = await tier(wanted, { 'package.json': '{"scripts": {"test": "./run-tests.sh"}}' });
      expect(document.checks[0]).toMatchObject({ kind: 'command', report: { format: 'exit' } });
      expect(document.checks.map((c: { kind: string }) => c.kind)).not.toContain('mutation');
    },
  );
});

describe('a Makefile', () => {
  it.each([
    ['test', 'all: x\n\ntest: all\n\t./t\n', ['make', 'test']],
    ['check', 'check:\n\t./t\n', ['make', 'check']],
  ])('counts with a target %s', async (_, Makefile, run) => {
    expect((await tier('light', { Makefile })).document.checks).toMatchObject([{ id: 'tests', run }]);
  });

  it('counts neither without one nor beside tests of a language', async () => {
    expect((await tier('light', { Makefile: 'test := x\nall:\n' })).checks).toBe(0);
    expect((await tier('light', { Makefile: 'test:\n', 'go.mod': '' })).found).toEqual(['go-tests']);
  });
});

const WORKFLOW = `on: push
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - run: |
          ./gradlew check
          echo "the tests are over"
      - run: bundle exec rspec --format doc | tee out
      - run: npm run test:e2e -- \${{ matrix.flag }}
`;

describe('the CI', () => {
  it('stands in where nothing else shows tests, a line with shell signs through a shell', async () => {
    const { document } = await tier('light', { '.github/workflows/ci.yml': WORKFLOW });
    expect(document.checks).toMatchObject([
      { id: 'tests', run: ['./gradlew', 'check'] },
      { id: 'tests-2', run: 'bundle exec rspec --format doc | tee out', shell: true },
    ]);
  });

  it('is read for GitLab as well, and a broken file counts for nothing', async () => {
    const gitlab = '.gitlab-ci.yml';
    expect(await ciTestLines(project({ [gitlab]: 'unit: {script: [mvn test, mvn deploy]}\n' }))).toEqual([
      'mvn test',
    ]);
    expect(await ciTestLines(project({ [gitlab]: 'unit: {script: [mvn test' }))).toEqual([]);
  });

  it('is only a remark beside tests that are known', async () => {
    const { text, found } = await tier('light', { ...LIBRARY, '.github/workflows/ci.yml': WORKFLOW });
    expect(found).toEqual(['tests']);
    expect(text).toContain('# The CI runs as well: ./gradlew check\n');
  });
});

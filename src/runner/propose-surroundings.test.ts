import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCriteria } from './criteria.ts';
import type { Machine, ProjectFiles } from './propose/project.ts';
import { proposeCriteria } from './propose.ts';
import { weakPointsOf } from './weak-criteria.ts';

type Files = Readonly<Record<string, string>>;

function project(files: Files): ProjectFiles {
  const paths = Object.keys(files);
  const below = (folder: string) => (folder === '' ? '' : `${folder}/`);
  const names = (folder: string) =>
    paths
      .filter((path) => path.startsWith(below(folder)))
      .map((path) => path.slice(below(folder).length).split('/')[0] ?? '');
  return {
    names: [...new Set(names(''))],
    read: async (path) => (path in files ? new TextEncoder().encode(files[path]) : undefined),
    list: async (folder) => [...new Set(names(folder))],
  };
}

/** What is proposed has to be what the runner reads. */
async function propose(files: Files, tier: 'light' | 'standard' | 'strict' = 'light', machine?: Machine) {
  const proposal = await proposeCriteria(project(files), { tier, name: 'default' }, machine);
  const criteria = await parseCriteria(new TextEncoder().encode(proposal.text), 'default.yaml');
  return { ...proposal, criteria, document: parse(proposal.text) };
}

const manifest = (more: object) => JSON.stringify({ name: 'x', private: true, ...more });
const vitest = { scripts: { test: 'vitest run' }, devDependencies: { vitest: '4' } };

describe('a repository of several packages', () => {
  const top = manifest({ workspaces: ['packages/*', 'tools/one'] });

  it('is tested by its own script, where it has one', async () => {
    const files = {
      'package.json': manifest({ workspaces: ['packages/*'], scripts: { test: 'turbo run test' } }),
    };
    expect((await propose(files)).document.checks).toMatchObject([{ run: ['npm', 'test'] }]);
  });

  it('has a check for each package whose tests tell their results', async () => {
    const { document, found } = await propose(
      {
        'package.json': top,
        'packages/a/package.json': manifest(vitest),
        'packages/b/package.json': manifest({ scripts: { test: 'node --test' } }),
        'packages/none/package.json': manifest({}),
        'packages/notes.txt': '',
        'tools/one/package.json': manifest({ scripts: { test: 'mocha' } }),
      },
      'standard',
    );
    expect(found).toEqual(['packages-a-tests', 'packages-b-tests', 'tools-one-tests', 'change']);
    expect(document.checks[0]).toMatchObject({
      kind: 'tests',
      directory: 'packages/a',
      report: { format: 'vitest', path: 'packages/a/countersign-report.json' },
      controls: ['canary', 'census', 'base-tests'],
    });
    expect(document.checks[0].run[0]).toBe('../../node_modules/.bin/vitest');
    expect(document.checks[0].files).toContain('packages/a/**/*.test.*');
    expect(document.checks[1]).toMatchObject({ run: ['node', '--test', '--test-reporter=tap'] });
  });

  it.each([
    'npm test --workspaces',
    'npm test --workspaces --if-present',
    'npm run test -ws',
    'npm run test --ws --if-present',
    'npm --workspaces test',
    'pnpm -r test',
    'pnpm -r --if-present run test',
    'pnpm --recursive run test',
    'yarn workspaces run test',
    'yarn workspaces foreach -A run test',
    'npm test --workspaces && eslint .',
  ])('has them too where its own script runs them all: %s', async (script) => {
    const packages = {
      'packages/a/package.json': manifest(vitest),
      'packages/b/package.json': manifest({ scripts: { test: 'node --test' } }),
    };
    const top = { 'package.json': manifest({ workspaces: ['packages/*'], scripts: { test: script } }) };
    const { found, notes } = await propose({ ...top, ...packages }, 'standard');
    expect(found.filter((id) => id.startsWith('packages-'))).toEqual([
      'packages-a-tests',
      'packages-b-tests',
    ]);
    expect(notes.join()).not.toContain('exit code alone');
    expect(notes.join()).toContain('a package that is added needs one as well');
  });

  it.each([
    ['turbo run test', {}],
    ['npm test -w packages/a', {}],
    ['npm run build --workspaces && npm test --workspaces', {}],
    ['pnpm --filter a test', {}],
    ['npm test --workspaces', { 'packages/c/package.json': manifest({ scripts: { test: './run' } }) }],
  ])('says that the exit code is all there is where that is so: %s', async (script, more) => {
    const top = { 'package.json': manifest({ workspaces: ['packages/*'], scripts: { test: script } }) };
    const files = { ...top, 'packages/a/package.json': manifest(vitest), ...more };
    const { document, notes } = await propose(files, 'standard');
    expect(document.checks[0]).toMatchObject({
      kind: 'command',
      run: ['npm', 'test'],
      report: { format: 'exit' },
    });
    expect(notes.join()).toContain('npm test is known by its exit code alone (strength none)');
  });

  it('is tested by one command where a package has no report, and by pnpm where that is its manager', async () => {
    const mixed = {
      'packages/a/package.json': manifest(vitest),
      'packages/b/package.json': manifest({ scripts: { test: './run' } }),
    };
    const npm = await propose({ 'package.json': top, ...mixed });
    expect(npm.document.checks).toMatchObject([
      { run: ['npm', 'test', '--workspaces', '--if-present'], report: { format: 'exit' } },
    ]);
    const pnpm = { 'package.json': manifest({}), 'pnpm-workspace.yaml': 'packages: ["packages/*"]\n' };
    expect((await propose({ ...pnpm, ...mixed })).document.checks[0].run[0]).toBe('pnpm');
    const own = await propose({ ...pnpm, 'packages/a/package.json': manifest(vitest) });
    expect(own.document.checks[0].run[0]).toBe('./node_modules/.bin/vitest');
  });
});

it('says of the strict tier what nobody looks at without acceptance examples, and what to add', async () => {
  const installable = {
    'package.json': JSON.stringify({ name: 'x', version: '1.0.0', main: 'a.js', ...vitest }),
  };
  const weak = 'a program that looks for the folder of its tests';
  const open = await propose(installable, 'strict');
  expect(open.notes.join()).toContain(weak);
  expect(weakPointsOf(open.criteria).join()).toContain(weak);
  expect((await propose({ 'package.json': manifest(vitest) }, 'strict')).notes.join()).toContain(weak);
  const files = { ...installable, '.countersign/acceptance/default.yaml': '' };
  const { notes, criteria } = await propose(files, 'strict');
  expect([notes.join(), weakPointsOf(criteria)]).toEqual([expect.not.stringContaining(weak), []]);
  expect((await propose(installable, 'standard')).notes.join()).not.toContain(weak);
  expect(
    weakPointsOf((await propose({ 'package.json': manifest({ scripts: { test: './run' } }) })).criteria),
  ).toEqual([expect.stringContaining('strength none')]);
});

it('says of a program without a report what tests before it can do to it', async () => {
  const { criteria } = await propose({ 'package.json': manifest(vitest), 'tsconfig.json': '{}' });
  const lint = {
    kind: 'command',
    format: 'exit',
    id: 'lint',
    apart: false,
  } as (typeof criteria.checks)[number];
  const weak = 'runs where "tests" ran before it';
  expect(weakPointsOf({ ...criteria, checks: [...criteria.checks, lint] }).join()).toContain(weak);
  expect(weakPointsOf({ ...criteria, checks: [lint, ...criteria.checks] })).toEqual([]);
});

describe('other tools', () => {
  it("runs Python's own tests, whose exit code is all there is", async () => {
    const test = 'import unittest\n';
    const words = ['python3', '-m', 'unittest', 'discover', '-v'];
    const run = async (files: Files) => (await propose(files)).document.checks[0].run;
    expect(await run({ 'test_a.py': test })).toEqual(words);
    expect(await run({ 'tests/test_a.py': test })).toEqual([...words, '-s', 'tests']);
    expect(await run({ 'tests/test_a.py': test, 'tests/__init__.py': '' })).toEqual(words);
    expect((await propose({ 'test_a.py': test })).document.checks[0].report).toEqual({ format: 'exit' });
    expect((await propose({ 'test_a.py': test, 'pytest.ini': '' })).found).toEqual(['pytest']);
  });

  it('adds linters and type checkers that have settings, from the standard tier on', async () => {
    const python = {
      'test_a.py': 'import unittest\n',
      'pyproject.toml': '[tool.ruff]\nline-length = 99\n[tool.mypy]\nfiles = ["src"]\n',
      Makefile: 'lint:\n\truff check\ncheck: lint test\n\ntypecheck:\n\tx\n',
    };
    const { found, document } = await propose(python, 'standard');
    expect(found).toEqual(['ruff', 'mypy', 'typecheck', 'lint', 'unittest', 'change']);
    expect(document.checks[1].run).toEqual(['mypy']);
    expect((await propose(python)).found).toEqual(['unittest']);
  });

  it('leaves out what this machine does not have, and says so', async () => {
    const lacks: Machine = { variablesFor: (program) => (program === 'ruff' ? undefined : []) };
    const files = { 'test_a.py': 'import unittest\n', 'ruff.toml': '' };
    const { found, text, notes } = await propose(files, 'standard', lacks);
    expect(found).toEqual(['unittest', 'change']);
    expect(text).toContain('# Not found on this machine, and so left out: ruff check .');
    expect(notes.join()).toContain('ruff check .');
  });

  it('checks types where typescript has settings and no script', async () => {
    const files = {
      'package.json': manifest({ ...vitest, devDependencies: { vitest: '4', typescript: '5' } }),
    };
    const { document } = await propose({ ...files, 'tsconfig.json': '{}' }, 'standard');
    expect(document.checks[0]).toMatchObject({
      id: 'typecheck',
      run: ['./node_modules/.bin/tsc', '--noEmit'],
    });
    const parts = await propose({ ...files, 'tsconfig.json': '{"references": []}' }, 'standard');
    expect(parts.found).toEqual(['tests', 'change']);
  });

  it('looks at the change alone where there are no tests, from the standard tier on', async () => {
    const { found, notes } = await propose({ 'README.md': '' }, 'standard');
    expect(found).toEqual(['change']);
    expect(notes.join()).toContain('no tests were recognised');
    expect((await propose({ 'README.md': '' }, 'strict')).found).toEqual(['change', 'reviewed']);
  });
});

describe('Rust', () => {
  const crate = { 'Cargo.toml': '' };

  it('lets the places of its tool chain through where the machine needs that', async () => {
    const rustup: Machine = { variablesFor: () => ['RUSTUP_HOME', 'CARGO_HOME'] };
    const { criteria, notes } = await propose(crate, 'standard', rustup);
    expect(criteria.allow).toEqual(['RUSTUP_HOME', 'CARGO_HOME']);
    expect(notes.join()).toContain('RUSTUP_HOME and CARGO_HOME are let through');
    expect((await propose(crate, 'standard')).criteria.allow).toEqual([]);
  });

  it('asks for all controls, and says when cargo is nowhere', async () => {
    const { document, notes } = await propose(crate, 'standard', { variablesFor: () => undefined });
    expect(document.checks[0]).not.toHaveProperty('controls');
    expect(notes.join()).toContain('cargo was not found on this machine');
  });
});

describe('Python', () => {
  const files = { 'pytest.ini': '' };
  const having = (python: string | undefined): Machine => ({
    variablesFor: () => [],
    pythonWith: (module) => (module === 'pytest' ? python : undefined),
  });

  it('names the interpreter that has pytest where the usual one has not, and says so', async () => {
    const usual = await propose(files, 'standard', having('python3'));
    expect(usual.document.checks[0].run.slice(0, 3)).toEqual(['python3', '-m', 'pytest']);
    expect(usual.notes.join()).not.toContain('pytest');
    const other = await propose(files, 'standard', having('/opt/py/bin/python3'));
    expect(other.document.checks[0].run.slice(0, 3)).toEqual(['/opt/py/bin/python3', '-m', 'pytest']);
    expect(other.notes.join()).toContain('the criteria name /opt/py/bin/python3');
    const none = await propose(files, 'standard', having(undefined));
    expect(none.document.checks[0].run[0]).toBe('python3');
    expect(none.notes.join()).toContain('has no pytest');
  });
});

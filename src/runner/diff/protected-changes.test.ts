import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { changedTexts } from './changed-text.ts';
import { isProtectedPath } from './protected.ts';
import { protectedFindings } from './protected-changes.ts';

type Files = Readonly<Record<string, string>>;

const guarded = async (before: Files, after: Files, kind = 'code', patterns?: readonly string[]) => {
  const change = changeOf(before, after);
  const nothing = { base: change.base, started: new Map() };
  const found = await protectedFindings(await changedTexts(change), kind, nothing, patterns);
  return found.map(({ path }) => path);
};
const manifest = (more: object) => ({
  'package.json': JSON.stringify({ name: 'a', version: '1.0.0', ...more }),
});

describe('protected paths', () => {
  it.each([
    '.countersign/default.yaml',
    'vitest.config.ts',
    'packages/a/jest.config.cjs',
    '.mocharc.yml',
    'tsconfig.json',
    'eslint.config.js',
    '.github/workflows/ci.yml',
    'conftest.py',
    'tests/conftest.py',
    'Makefile',
    '.npmrc',
    '.env',
    '.gitattributes',
    '.husky/pre-commit',
    'node_modules/vitest/index.js',
    'node_modules',
    'test/node_modules',
    '.github',
    '.countersign',
    'sitecustomize.py',
    'postcss.config.cjs',
    'pytest.toml',
    '.oxlintrc.json',
    'tslint.json',
    '.prettierignore',
    'rollup.config.js',
    'build.rs',
    'go.work',
    'evil.dist-info/entry_points.txt',
    'src/evil.egg-info/entry_points.txt',
    '.config/nextest.toml',
    'nyc.config.js',
    'svelte.config.js',
  ])('hold %s, whether it was there before or not', async (path) => {
    expect(await guarded({ [path]: 'a' }, { [path]: 'b' })).toEqual([path]);
    expect(await guarded({}, { [path]: 'b()' })).toEqual([path]);
    expect(await guarded({ [path]: 'a' }, {})).toEqual([path]);
  });

  it.each([
    'src/config.ts',
    'test/a.test.ts',
    'README.md',
    '.env.example',
    '.github/pull_request_template.md',
    '.github/ISSUE_TEMPLATE/bug.yml',
    'src/environment.ts',
    'src/jest.ts',
  ])('do not hold %s', (path) => expect(isProtectedPath(path)).toBe(false));

  it('hold what Python would load in the place of a module that its tests run on', async () => {
    for (const path of [
      'pytest.py',
      'pluggy/__init__.py',
      '_pytest.pyc',
      'json.cpython-311-x86_64-linux-gnu.so',
    ]) {
      expect(await guarded({}, { [path]: 'a = 1\n' })).toEqual([path]);
      // Where nothing starts, nobody looks for it first; and what base has is no news to anybody.
      expect(await guarded({}, { [`lib/${path}`]: 'a = 1\n' })).toEqual([]);
      expect(await guarded({ [path]: 'a = 1\n' }, { [path]: 'a = 2\n' })).toEqual([]);
    }
    expect(await guarded({}, { 'unit.py': 'a = 1\n', 'queue_of.py': '', 'json/schema.py': '' })).toEqual([]);
  });

  it('hold a file that names plugins for pytest, beside its own', async () => {
    const path = 'tests/test_a.py';
    const naming = (names: string) => ({ [path]: `pytest_plugins = ${names}\n` });
    expect(await guarded({}, naming('["unit.plugin"]'))).toEqual([path]);
    expect(await guarded(naming('"a"'), naming('(\n  "a",\n  "b",\n)'))).toEqual([path]);
    expect(await guarded({}, naming('["pytester"]'))).toEqual([]);
    expect(await guarded(naming('"a"'), { [path]: 'pytest_plugins = "a"\nx = 1\n' })).toEqual([]);
  });

  it('are those that criteria name, without exceptions, when they name any', async () => {
    const patterns = ['src/core/**', 'package.json'];
    expect(await guarded({}, { 'src/core/a.ts': 'x', 'vitest.config.ts': 'x' }, 'code', patterns)).toEqual([
      'src/core/a.ts',
    ]);
    const [before, after] = [manifest({}), manifest({ version: '2.0.0' })];
    expect(await guarded(before, after, 'code', patterns)).toEqual(['package.json']);
  });
});

describe('a manifest', () => {
  it.each<[string, object, object]>([
    ['its words', { description: 'a' }, { description: 'b', keywords: ['x'], version: '1.1.0' }],
    [
      'what consumers get',
      { main: 'a.js' },
      { main: 'b.js', exports: { '.': './b.js' }, bin: { a: 'b.js' } },
    ],
    ['a dependency', { dependencies: { a: '^1.0.0' } }, { dependencies: { a: '^2.0.0', b: '~1.0.0' } }],
    ['a package of the same repository', {}, { dependencies: { a: 'workspace:*' } }],
  ])('leaves %s to the builder', async (_, before, after) =>
    expect(await guarded(manifest(before), manifest(after))).toEqual([]),
  );

  it.each<[string, object, object]>([
    ['a script', { scripts: { test: 'vitest' } }, { scripts: { test: 'true' } }],
    ['a new script', {}, { scripts: { postinstall: 'x' } }],
    ['settings of a test runner', {}, { jest: { testMatch: [] } }],
    ['a key that is not known', {}, { anything: 1 }],
    [
      'a test runner from a folder',
      { devDependencies: { vitest: '1.0.0' } },
      { devDependencies: { vitest: 'file:./fake' } },
    ],
    [
      'a test runner under another name',
      { devDependencies: { vitest: '1.0.0' } },
      { devDependencies: { vitest: 'npm:fake@1.0.0' } },
    ],
    ['an override from elsewhere', {}, { overrides: { a: { vitest: 'https://example.org/x.tgz' } } }],
  ])('guards %s', async (_, before, after) =>
    expect(await guarded(manifest(before), manifest(after))).toEqual(['package.json']),
  );

  it('guards dependencies from work that only moves code, and what is no JSON', async () => {
    expect(await guarded(manifest({}), manifest({ dependencies: { a: '1.0.0' } }), 'refactor')).toEqual([
      'package.json',
    ]);
    expect(await guarded(manifest({}), { 'package.json': '{' })).toEqual(['package.json']);
    expect(await guarded(manifest({}), {})).toEqual(['package.json']);
  });

  it('lets a lockfile follow what its manifest asks for, from where it always came', async () => {
    const lock = (version: string, from = 'https://registry.npmjs.org', root = '1.0.0') => ({
      'package-lock.json': JSON.stringify({
        name: 'a',
        version: root,
        packages: {
          '': { version: root },
          'node_modules/a': { version, resolved: `${from}/a/-/a-${version}.tgz` },
        },
      }),
    });
    const [old, now] = [
      manifest({ dependencies: { a: '^1.0.0' } }),
      manifest({ dependencies: { a: '^2.0.0' } }),
    ];
    expect(await guarded({ ...old, ...lock('1.0.0') }, { ...now, ...lock('2.0.0') })).toEqual([]);
    expect(await guarded({ ...old, ...lock('1.0.0') }, { ...old, ...lock('1.0.1') })).toEqual([
      'package-lock.json',
    ]);
    const elsewhere = { ...now, ...lock('2.0.0', 'https://example.org') };
    expect(await guarded({ ...old, ...lock('1.0.0') }, elsewhere)).toEqual(['package-lock.json']);
    const linked = lock('2.0.0')['package-lock.json'].replace(
      /"version":"2[^}]*/,
      '"resolved":"vendor/a","link":true',
    );
    expect(await guarded({ ...old, ...lock('1.0.0') }, { ...now, 'package-lock.json': linked })).toEqual([
      'package-lock.json',
    ]);
    const spaces = { ...manifest({ workspaces: ['vendor/*'] }), 'package-lock.json': '{"packages":{}}' };
    const asking = manifest({ workspaces: ['vendor/*'], dependencies: { a: '*' } });
    expect(await guarded(spaces, { ...asking, 'package-lock.json': linked })).toEqual([]);
    const released = { ...manifest({ version: '1.1.0' }), ...lock('1.0.0', undefined, '1.1.0') };
    expect(await guarded({ ...manifest({}), ...lock('1.0.0') }, released)).toEqual([]);
  });

  describe('of a new package of a workspace', () => {
    const base = (more: object = {}) => ({
      ...manifest({ workspaces: ['packages/*'], devDependencies: { runner: '^1.0.0' }, ...more }),
      'packages/old/package.json': '{"name":"old"}',
      'package-lock.json': lock({}),
    });
    const lock = (more: object) =>
      JSON.stringify({
        packages: {
          '': { workspaces: ['packages/*'] },
          'node_modules/old': { resolved: 'packages/old', link: true },
          'node_modules/runner': {
            version: '1.0.0',
            resolved: 'https://registry.npmjs.org/runner/-/runner-1.0.0.tgz',
            bin: { run: 'run.js' },
          },
          'packages/old': {},
          ...more,
        },
      });
    const link = { 'node_modules/new': { resolved: 'packages/new', link: true } };
    const own = { 'packages/new': { version: '1.0.0', license: 'MIT' } };
    const added = (said: object, entries: object = { ...link, ...own }) =>
      guarded(base(), {
        ...base(),
        'packages/new/package.json': JSON.stringify({ name: 'new', version: '1.0.0', ...said }),
        'package-lock.json': lock(entries),
      });

    it('takes up its link and its entry, and leaves its scripts to the builder', async () => {
      expect(await added({})).toEqual([]);
      expect(
        await added({ scripts: { test: 'run', build: 'x' }, main: 'a.js', bin: { own: 'a.js' } }),
      ).toEqual([]);
    });

    it('takes up nothing else', async () => {
      const other = {
        'node_modules/runner': {
          version: '1.0.1',
          resolved: 'https://registry.npmjs.org/runner/-/runner-1.0.1.tgz',
        },
      };
      expect(await added({}, { ...link, ...own, ...other })).toEqual(['package-lock.json']);
      const elsewhere = { 'node_modules/new': { resolved: 'packages/old', link: true } };
      expect(await added({}, { ...elsewhere, ...own })).toEqual(['package-lock.json']);
      const instead = { 'node_modules/runner': { resolved: 'packages/new', link: true } };
      expect(await added({ name: 'runner' }, { ...instead, ...own })).toEqual(['package-lock.json']);
    });

    it('guards what an installation starts, and programs of others', async () => {
      expect(await added({ scripts: { postinstall: 'x' } })).toEqual(['packages/new/package.json']);
      expect(await added({ bin: { run: 'a.js' } })).toEqual(['packages/new/package.json']);
      expect(await added({ bin: { vitest: 'a.js' } })).toEqual(['packages/new/package.json']);
      expect(await added({ directories: { bin: 'x' } })).toEqual(['packages/new/package.json']);
      expect(await added({ jest: { testMatch: [] } })).toEqual(['packages/new/package.json']);
      const old = { ...base(), 'packages/old/package.json': '{"name":"old","bin":{"run":"a.js"}}' };
      expect(await guarded(base(), old)).toEqual(['packages/old/package.json']);
    });

    it('is none where base has files of it, or says that no packages lie there', async () => {
      const script = '{"name":"old","scripts":{"test":"true"}}';
      expect(
        await guarded(
          { ...base(), 'packages/new/a.js': '' },
          { ...base(), 'packages/new/a.js': '', 'packages/new/package.json': script },
        ),
      ).toEqual(['packages/new/package.json']);
      expect(await guarded(base(), { ...base(), 'tools/new/package.json': script })).toEqual([
        'tools/new/package.json',
      ]);
    });

    it('of pnpm adds lines alone', async () => {
      const before = {
        ...manifest({}),
        'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n",
        'pnpm-lock.yaml': "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n",
      };
      const after = { ...before, 'packages/new/package.json': '{"name":"new"}' };
      const taken = `${before['pnpm-lock.yaml']}\n  packages/new: {}\n`;
      expect(await guarded(before, { ...after, 'pnpm-lock.yaml': taken })).toEqual([]);
      expect(await guarded(before, { ...before, 'pnpm-lock.yaml': taken })).toEqual(['pnpm-lock.yaml']);
      expect(await guarded(before, { ...after, 'pnpm-lock.yaml': taken.replace('9.0', '6.0') })).toEqual([
        'pnpm-lock.yaml',
      ]);
    });
  });

  it('of Python leaves what is asked for to the builder, and guards tools and plug-ins', async () => {
    const text = (project: string, tool = 'addopts = "-q"') => ({
      'pyproject.toml': `[project]\n${project}\n[tool.pytest.ini_options]\n${tool}\n`,
    });
    const old = text('version = "1"');
    expect(await guarded(old, text('version = "2"\ndependencies = ["requests>=2"]'))).toEqual([]);
    expect(await guarded(old, text('version = "1"', 'addopts = "-k none"'))).toEqual(['pyproject.toml']);
    expect(await guarded(old, text('dependencies = ["pytest @ file:///x"]'))).toEqual(['pyproject.toml']);
    expect(
      await guarded(old, {
        'pyproject.toml': `${old['pyproject.toml']}[project.entry-points.pytest11]\na = "b"\n`,
      }),
    ).toEqual(['pyproject.toml']);
  });

  it('of Rust and Go guards targets and replacements', async () => {
    const rust = (more: string) => ({
      'Cargo.toml': `[package]\nname = "a"\n[dependencies]\nserde = "1"\n${more}`,
    });
    expect(await guarded(rust(''), rust('rand = "0.8"\n'))).toEqual([]);
    expect(await guarded(rust(''), rust('rand = { path = "x" }\n'))).toEqual(['Cargo.toml']);
    expect(await guarded(rust(''), rust('[[test]]\nname = "a"\nharness = false\n'))).toEqual(['Cargo.toml']);
    const go = (more: string) => ({ 'go.mod': `module a\n${more}` });
    expect(await guarded(go(''), go('require b v1.0.0\n'))).toEqual([]);
    expect(await guarded(go(''), go('replace b => ./b\n'))).toEqual(['go.mod']);
  });
});

import { describe, expect, it } from 'vitest';
import { foreignLines } from './lock-lines.ts';
import { foreignTexts } from './lock-texts.ts';

describe('a lockfile of yarn', () => {
  const classic = (
    version: string,
    resolved = `https://registry.yarnpkg.com/equal/-/equal-${version}.tgz#1`,
  ) =>
    `# yarn lockfile v1\n\n\nequal@^${version}:\n  version "${version}"\n  resolved "${resolved}"\n  integrity sha512-a/b==\n`;

  it('takes what comes from the registry', () => {
    const more =
      '\nother@^2.0.0, other@~2.1.0:\n  version "2.1.0"\n  resolved "https://registry.yarnpkg.com/other/-/other-2.1.0.tgz#2"\n  dependencies:\n    equal "^1.1.0"\n';
    expect(foreignTexts(classic('1.0.0'), classic('1.1.0') + more)).toEqual([]);
    const alias =
      '\n"width-cjs@npm:width@^4.2.0":\n  version "4.2.0"\n  resolved "https://registry.yarnpkg.com/width/-/width-4.2.0.tgz#3"\n';
    expect(foreignTexts(classic('1.0.0'), classic('1.0.0') + alias)).toEqual([]);
  });

  it.each([
    'file:vendor/equal',
    'https://example.org/equal/-/equal-1.1.0.tgz',
    'https://registry.yarnpkg.com/unequal/-/unequal-1.1.0.tgz',
    'https://codeload.github.com/a/equal/tar.gz/1',
    'git+ssh://git@github.com/a/equal.git#1',
    'f\\u0069le:vendor/equal',
  ])('does not take %s', (resolved) =>
    expect(foreignTexts(classic('1.0.0'), classic('1.1.0', resolved))).not.toEqual([]),
  );

  it('of the newer form takes neither folders nor other packages', () => {
    const berry = (key: string, resolution: string) =>
      `"${key}":\n  version: 1.1.0\n  resolution: "${resolution}"\n  checksum: 10c0/ab\n  languageName: node\n  linkType: hard\n`;
    const before = berry('equal@npm:^1.0.0', 'equal@npm:1.0.0');
    expect(foreignTexts(before, berry('equal@npm:^1.1.0', 'equal@npm:1.1.0'))).toEqual([]);
    const patched = berry(
      'fsevents@patch:fsevents@npm%3A~2.3.2#optional!builtin<compat/fsevents>',
      'fsevents@patch:fsevents@npm%3A2.3.3#optional!builtin<compat/fsevents>::version=2.3.3&hash=df0bf1',
    );
    expect(foreignTexts(before, before + patched)).toEqual([]);
    expect(foreignTexts(before, before + berry('own@workspace:*', 'own@workspace:packages/own'))).toEqual([]);
    for (const [key, resolution] of [
      ['equal@npm:^1.1.0', 'unequal@npm:1.1.0'],
      ['equal@workspace:*', 'equal@workspace:packages/equal'],
      ['equal@portal:./vendor', 'equal@portal:./vendor::locator=a'],
      ['equal@patch:equal@npm%3A1.0.0#./a.patch', 'equal@patch:equal@npm%3A1.0.0#./a.patch'],
    ] as const)
      expect(foreignTexts(before, berry(key, resolution))).not.toEqual([]);
  });
});

describe('a lockfile of pnpm', () => {
  const pnpm = (
    version: string,
    specifier = '^1.0.0',
    packages = '  equal@1.0.0:\n    resolution: {integrity: sha512-a==}\n',
  ) =>
    `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      equal:\n        specifier: ${specifier}\n        version: ${version}\n\npackages:\n\n${packages}`;
  const before = pnpm('1.0.0');

  it('takes versions, peers and packages of the repository', () => {
    const other =
      "  equal@1.1.0(peer@2.0.0):\n    resolution: {integrity: sha512-b==}\n    engines: {node: '>=18'}\n";
    expect(foreignTexts(before, pnpm('1.1.0(peer@2.0.0)', '^1.1.0', other))).toEqual([]);
    const own = before.replace(
      '\npackages:',
      '      own:\n        specifier: workspace:*\n        version: link:../own\n\npackages:',
    );
    expect(foreignTexts(before, own)).toEqual([]);
  });

  it.each<[string, string]>([
    ['a link', pnpm('link:vendor/equal')],
    ['a package of the repository in place of another', pnpm('link:packages/equal', 'workspace:*')],
    ['a folder', pnpm('file:vendor/equal')],
    [
      'a folder by its form',
      pnpm('1.0.0', '^1.0.0', '  equal@1.0.0:\n    resolution: {directory: vendor, type: directory}\n'),
    ],
    [
      'an address',
      pnpm('1.0.0', '^1.0.0', '  equal@1.0.0:\n    resolution: {tarball: https://example.org/a.tgz}\n'),
    ],
    ['another package', pnpm('unequal@1.0.0')],
    ['a hidden word', pnpm('"l\\x69nk:vendor"')],
  ])('does not take %s', (_, after) => expect(foreignTexts(before, after)).not.toEqual([]));
});

it('a lockfile of bun takes versions, and neither folders nor other packages', () => {
  const bun = (said: string) =>
    `{\n  "lockfileVersion": 1,\n  "packages": {\n    "equal": ["${said}", "", {}, "sha512-a=="],\n  }\n}\n`;
  expect(foreignTexts(bun('equal@1.0.0'), bun('equal@1.1.0'))).toEqual([]);
  for (const said of [
    'equal@file:vendor',
    'equal@link:vendor',
    'unequal@1.0.0',
    'equal@workspace:packages/equal',
    'equal@github:a/b#1',
  ])
    expect(foreignTexts(bun('equal@1.0.0'), bun(said))).not.toEqual([]);
});

describe('lockfiles of Python and Rust', () => {
  it.each([
    '[[package]]\nname = "a"\nversion = "2"\nsource = { registry = "https://pypi.org/simple" }\nsdist = { url = "https://files.pythonhosted.org/a.tar.gz" }',
    '[[package]]\nname = "a"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "ab"',
    '[[package]]\nname = "own"\nsource = { editable = "." }',
  ])('take %s', (after) => expect(foreignLines('', after)).toEqual([]));

  it.each([
    'source = { editable = "vendor/pytest" }',
    'source = { directory = "vendor" }',
    'source = { git = "https://github.com/a/b" }',
    'source = { registry = "https://example.org/simple" }',
    'wheels = [{ url = "https://example.org/a.whl" }]',
    'source = "git+https://github.com/a/b#1"',
    '[package.source]\ntype = "directory"\nurl = "vendor"',
    '"pytest": {"path": "./vendor", "editable": true}',
  ])('do not take %s', (after) => expect(foreignLines('', after)).not.toEqual([]));
});

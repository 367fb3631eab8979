import { describe, expect, it } from 'vitest';
import { foreignEntries } from './lock-entries.ts';

const npm = (name: string, version = '1.0.0', of = name) => ({
  version,
  resolved: `https://registry.npmjs.org/${of}/-/${of.slice(of.indexOf('/') + 1)}-${version}.tgz`,
  integrity: 'sha512-a',
});
const lock = (packages: object, more: object = {}) =>
  JSON.stringify({ lockfileVersion: 3, packages: { '': { version: '1.0.0' }, ...packages }, ...more });
const base = lock({ 'node_modules/equal': npm('equal'), 'node_modules/@a/b': npm('@a/b') });
const foreign = (packages: object, workspaces: readonly string[] = [], before = base) =>
  foreignEntries(before, lock(packages), workspaces);

describe('a lockfile of npm', () => {
  it('takes other versions and other packages from the registry', () => {
    const now = {
      'node_modules/equal': npm('equal', '1.1.0'),
      'node_modules/@a/b': npm('@a/b', '2.0.0'),
      'node_modules/new': npm('new'),
      'node_modules/new/node_modules/equal': npm('equal', '0.9.0'),
      'node_modules/new/node_modules/carried': { version: '1.0.0', inBundle: true },
    };
    expect(foreign(now)).toEqual([]);
  });

  it.each<[string, object]>([
    ['a link', { 'node_modules/equal': { resolved: 'vendor/equal', link: true } }],
    ['a folder', { 'node_modules/equal': npm('equal'), 'vendor/equal': { version: '1.0.0' } }],
    ['an archive', { 'node_modules/equal': { version: '1.0.0', resolved: 'file:vendor/equal.tgz' } }],
    [
      'a repository',
      { 'node_modules/equal': { version: '1.0.0', resolved: 'git+ssh://git@github.com/a/equal.git#1' } },
    ],
    [
      'another host',
      { 'node_modules/equal': { version: '1.0.0', resolved: 'https://example.org/equal/-/equal-1.0.0.tgz' } },
    ],
    ['another package', { 'node_modules/equal': npm('equal', '1.0.0', 'unequal') }],
    [
      'an alias in place of a package',
      { 'node_modules/equal': { name: 'unequal', ...npm('equal', '1.0.0', 'unequal') } },
    ],
    ['a nested link', { 'node_modules/@a/b/node_modules/equal': { resolved: 'vendor/equal', link: true } }],
    ['a version that is an address', { 'node_modules/equal': { version: 'https://example.org/a.tgz' } }],
    [
      'an address with steps in it',
      {
        'node_modules/equal': {
          version: '1.0.0',
          resolved: 'https://registry.npmjs.org/equal/-/equal-1/../../../evil/-/evil-1.0.0.tgz',
        },
      },
    ],
    ['an entry that is none', { 'node_modules/equal': 'vendor' }],
  ])('does not take %s', (_, now) => expect(foreign(now)).toHaveLength(1));

  it('reads what is written with escapes', () => {
    const text = lock({ 'node_modules/equal': { version: '1.0.0', resolved: 'file:vendor/equal' } });
    expect(
      foreignEntries(base, text.replace('"resolved":"file', '"\\u0072esolved":"f\\u0069le'), []),
    ).toHaveLength(1);
    expect(foreignEntries(base, '{', [])).toEqual(['what is no JSON']);
  });

  it('links packages of the repository, as long as none is replaced', () => {
    const own = {
      'node_modules/own': { resolved: 'packages/own', link: true },
      'packages/own': { version: '1.0.0' },
    };
    expect(foreign(own, ['packages/*'])).toEqual([]);
    expect(foreign(own, ['./packages/*/'])).toEqual([]);
    expect(foreign(own)).toHaveLength(2);
    const instead = { 'node_modules/equal': { resolved: 'packages/equal', link: true } };
    expect(foreign(instead, ['packages/*'])).toEqual([
      '"node_modules/equal" is the folder "packages/equal" in place of a package',
    ]);
    expect(
      foreign({ 'node_modules/own': { resolved: 'packages/../vendor', link: true } }, ['packages/**']),
    ).toHaveLength(1);
  });

  it('lets packages bring others under other names, and private registries be what they were', () => {
    const alias = { name: 'string-width', ...npm('string-width-cjs', '4.2.3', 'string-width') };
    expect(foreign({ 'node_modules/string-width-cjs': alias })).toEqual([]);
    const at = (version: string, host = 'https://npm.example.org/repository/all') => ({
      'node_modules/equal': { version, resolved: `${host}/equal/-/equal-${version}.tgz` },
    });
    expect(foreign(at('1.1.0'), [], lock(at('1.0.0')))).toEqual([]);
    expect(foreign(at('1.1.0', 'https://other.example.org'), [], lock(at('1.0.0')))).toHaveLength(1);
  });

  it('knows the older form', () => {
    const old = (dependencies: object) => JSON.stringify({ lockfileVersion: 1, dependencies });
    const before = old({
      equal: npm('equal'),
      outer: { ...npm('outer'), dependencies: { equal: npm('equal') } },
    });
    expect(foreignEntries(before, old({ equal: npm('equal', '1.1.0') }), [])).toEqual([]);
    expect(foreignEntries(before, old({ equal: { version: 'file:vendor/equal' } }), [])).toHaveLength(1);
    const inner = {
      outer: { ...npm('outer'), dependencies: { equal: { version: 'git+https://a.org/b.git' } } },
    };
    expect(foreignEntries(before, old(inner), [])).toEqual([
      '"outer > equal" comes from git+https://a.org/b.git',
    ]);
    expect(foreignEntries(before, old({ own: { version: 'file:packages/own' } }), ['packages/*'])).toEqual(
      [],
    );
  });
});

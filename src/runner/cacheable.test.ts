import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isCacheable } from './cacheable.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cacheable-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const fetched = { version: '1.0.0', resolved: 'https://registry.example/a-1.0.0.tgz', integrity: 'sha512-x' };
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } });
const npm = {
  'package.json': JSON.stringify({ dependencies: { a: '1.0.0' }, scripts: { 'release:file': 'x' } }),
  'package-lock.json': lock({
    'node_modules/a': fetched,
    'node_modules/a/node_modules/b': { inBundle: true },
  }),
};
const yarnLock = 'a@1.0.0:\n  version "1.0.0"\n  resolved "https://registry.example/a.tgz#0"\n';

function cacheable(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return isCacheable(root, 'yarn.lock' in files ? 'yarn.lock' : 'package-lock.json');
}

it('trusts a lockfile that names only packages of a registry', async () => {
  expect(await cacheable(npm)).toBe(true);
  const npmrc = '# ours\n@us:registry=https://r.example\n//r.example/:_authToken=t\nsave-exact = true\n';
  expect(await cacheable({ ...npm, '.npmrc': npmrc })).toBe(true);
  expect(await cacheable({ 'package.json': npm['package.json'], 'yarn.lock': yarnLock })).toBe(true);
});

it.each([
  ['a manifest with file:', { 'package.json': '{"dependencies":{"a":"file:lib"}}' }],
  ['an escaped file:', { 'package.json': '{"dependencies":{"a":"\\u0066ile:lib"}}' }],
  ['a path', { 'package.json': '{"devDependencies":{"a":"./lib"}}' }],
  ['workspaces', { 'package.json': '{"workspaces":["lib"]}' }],
  ['patches of pnpm', { 'package.json': '{"pnpm":{"patchedDependencies":{"a":"p.patch"}}}' }],
  ['a manifest that is no JSON', { 'package.json': '{' }],
  ['a linked package', { 'package-lock.json': lock({ 'node_modules/a': { resolved: 'lib', link: true } }) }],
  [
    'a packed folder',
    { 'package-lock.json': lock({ 'node_modules/a': { ...fetched, resolved: 'file:lib' } }) },
  ],
  [
    'a packed folder that claims to be bundled',
    { 'package-lock.json': lock({ 'node_modules/a': { resolved: 'file:lib', inBundle: true } }) },
  ],
  ['a folder of the project', { 'package-lock.json': lock({ lib: fetched }) }],
  ['no digest', { 'package-lock.json': lock({ 'node_modules/a': { ...fetched, integrity: undefined } }) }],
  ['an old lockfile', { 'package-lock.json': '{"lockfileVersion":1,"dependencies":{}}' }],
  ['a lockfile of yarn with link:', { 'yarn.lock': `${yarnLock}"b@link:lib":\n  version "0"\n` }],
  ['a lockfile of yarn with an escape', { 'yarn.lock': `${yarnLock}"b@\\x6cink:lib":\n  version "0"\n` }],
  ['install-links', { '.npmrc': 'install-links=true\n' }],
  ['another pnpmfile', { '.npmrc': 'pnpmfile=hooks.js\n' }],
  ['.pnpmfile.cjs', { '.pnpmfile.cjs': '' }],
  ['a workspace of pnpm', { 'pnpm-workspace.yaml': '' }],
  ['.yarnrc.yml', { '.yarnrc.yml': 'yarnPath: y.cjs\n' }],
  ['.yarn', { '.yarn/patches/a.patch': '' }],
])('trusts none with %s', async (_, files: Record<string, string>) => {
  expect(await cacheable({ ...npm, ...files })).toBe(false);
});

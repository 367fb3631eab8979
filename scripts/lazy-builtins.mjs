// Modules of Node that few commands need, loaded at their first use: together they cost a start several milliseconds.
// Imports become functions that ask for the module when called, and tables of constants that ask when they are read.
import { builtinModules } from 'node:module';

const LAZY = ['crypto', 'child_process', 'readline', 'tty', 'fs/promises', 'timers/promises', 'os', 'module'];
const pattern = new RegExp(`^(node:)?(${LAZY.join('|')})$`);

const quoted = (path) => JSON.stringify(`node:${path}`);

const later = (path, name) =>
  `export function ${name}(...a) { const real = require(${quoted(path)}).${name}; return new.target ? Reflect.construct(real, a) : real(...a); }`;

const table = (path, name, keys) =>
  `export const ${name} = { ${keys.map((key) => `get ${key}() { return require(${quoted(path)}).${name}.${key}; }`).join(', ')} };`;

async function asModule(path) {
  const lines = Object.entries(await import(`node:${path}`)).flatMap(([name, real]) => {
    if (name === 'default') return [];
    if (typeof real === 'function') return [later(path, name)];
    return name === 'constants' ? [table(path, name, Object.keys(real))] : [];
  });
  return { contents: lines.join('\n'), loader: 'js' };
}

async function asCommonJs(path) {
  const names = Object.keys(await import(`node:${path}`)).filter((name) => name !== 'default');
  const getters = names.map((name) => `get ${name}() { return load().${name}; }`);
  return {
    contents: `const load = () => require(${quoted(path)}); module.exports = { ${getters.join(', ')} };`,
    loader: 'js',
  };
}

/** A plug-in for esbuild. An import of anything else from one of these modules fails the build. */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(bundler) {
    bundler.onResolve({ filter: pattern }, ({ path, kind, namespace }) => {
      if (namespace.startsWith('lazy-')) return { path, external: true };
      const name = path.replace(/^node:/, '');
      if (!builtinModules.includes(name)) return undefined;
      return { path: name, namespace: kind === 'require-call' ? 'lazy-commonjs' : 'lazy-module' };
    });
    bundler.onLoad({ filter: /./, namespace: 'lazy-module' }, ({ path }) => asModule(path));
    bundler.onLoad({ filter: /./, namespace: 'lazy-commonjs' }, ({ path }) => asCommonJs(path));
  },
};

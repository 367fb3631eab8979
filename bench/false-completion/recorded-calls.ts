import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended } from './ended.ts';
import type { Call } from './material.ts';

/** Where the installed packages lie, and a folder to work in below which they are found. */
export interface Bench {
  readonly modules: string;
  readonly scratch: string;
}

/** Stands between the tests and the module. */
const RECORDER = `
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const [main, out] = [process.env.MAIN, process.env.OUT];
const seen = new Set();
const plain = (v, depth = 0) => v === null || typeof v === 'string' || typeof v === 'boolean'
  || (typeof v === 'number' && Number.isFinite(v))
  || (depth < 6 && Array.isArray(v) && Object.keys(v).length === v.length && v.every((x) => plain(x, depth + 1)))
  || (depth < 6 && typeof v === 'object' && Object.getPrototypeOf(v) === Object.prototype
      && !Object.hasOwn(v, '__proto__') && Object.values(v).every((x) => plain(x, depth + 1)));
const wrap = (name, f) => Object.assign(function (...args) {
  if (args.length > 0 && args.every((x) => plain(x))) {
    const call = JSON.stringify({ export: name, args });
    if (call.length < 400 && seen.size < 900) seen.add(call);
  }
  return f.apply(this, args);
}, f);
const load = Module._load;
let wrapped;
Module._load = function (request, parent, isMain) {
  const loaded = load(request, parent, isMain);
  try { if (Module._resolveFilename(request, parent) !== main) return loaded; } catch { return loaded; }
  wrapped ??= typeof loaded === 'function' ? wrap('default', loaded)
    : Object.fromEntries(Object.entries(loaded).map(([k, v]) => [k, typeof v === 'function' ? wrap(k, v) : v]));
  return wrapped;
};
process.on('exit', () => writeFileSync(out, '[' + [...seen].join(',') + ']'));
`;

/** Calls that the published tests make of the module, as far as JSON can hold them: the inputs of the oracle. */
export async function recordedCalls(
  top: string,
  entry: string,
  { modules, scratch }: Bench,
): Promise<readonly Call[]> {
  const folder = mkdtempSync(join(scratch, 'record-'));
  try {
    writeFileSync(join(folder, 'recorder.cjs'), RECORDER);
    const out = join(folder, 'calls.json');
    const words = ['-r', join(folder, 'recorder.cjs'), join(modules, 'tape/bin/tape'), 'test/**/*.js'];
    const env = { PATH: process.env.PATH, MAIN: join(top, entry), OUT: out };
    await ended(process.execPath, words, top, env, { timeout: 60_000, quiet: true });
    return JSON.parse(readFileSync(out, 'utf8')) as readonly Call[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Connection, connectionOver, type Library } from './connection.ts';

/** Version of the package whose JavaScript the start file carries; nothing else is built with it. */
declare const __BETTER_SQLITE3_CARRIED__: string;

type BetterSqlite = new (path: string, options: { readonly nativeBinding?: string }) => Library;

/** Opens with the better-sqlite3 package; reports the failure and answers nothing when it cannot be loaded. */
export function openBetterSqlite(path: string, failed: (error: unknown) => void): Connection | undefined {
  try {
    // In a bundle in CommonJS format there is no import.meta, in an ES module no __filename.
    const load = typeof __filename === 'string' ? require : createRequire(import.meta.url);
    return connectionOver('better-sqlite3', carried(path) ?? installed(load, path));
  } catch (error) {
    // The package loads its binary only with the first database, so a missing one shows here too.
    if (isSqliteError(error)) throw error;
    failed(error);
    return undefined;
  }
}

/** A name that no bundler follows: the package is native and optional. */
function installed(load: NodeJS.Require, path: string): Library {
  const Database = load('better-sqlite3') as BetterSqlite;
  return new Database(path, {});
}

/**
 * The carried JavaScript on the installed binary, which saves looking for and compiling a dozen files at every start.
 * Undefined where there is none, or where binary and JavaScript are not of one version.
 */
function carried(path: string): Library | undefined {
  if (typeof __BETTER_SQLITE3_CARRIED__ === 'undefined') return undefined;
  const folder = packageAbove(__dirname);
  if (folder === undefined) return undefined;
  const nativeBinding = join(folder, 'build/Release/better_sqlite3.node');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string };
  if (version !== __BETTER_SQLITE3_CARRIED__ || !existsSync(nativeBinding)) return undefined;
  const Database = require('better-sqlite3') as BetterSqlite;
  return new Database(path, { nativeBinding });
}

/** Where Node would find the package, without the half millisecond that its own search takes. */
function packageAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules/better-sqlite3');
    if (existsSync(join(found, 'package.json'))) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

const isSqliteError = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');

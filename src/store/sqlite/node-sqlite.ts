import { type Connection, connectionOver, type Library } from './connection.ts';

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => Library;
}

/** Opens with the SQLite built into Node; reports the failure and answers nothing where this Node has none. */
export function openNodeSqlite(path: string, failed: (error: unknown) => void): Connection | undefined {
  const sqlite = load();
  if (sqlite) return connectionOver('node:sqlite', new sqlite.DatabaseSync(path));
  failed(new Error(`Node ${process.version} has no node:sqlite`));
  return undefined;
}

/** Loads the module without its warning that it is experimental; every other warning passes. */
function load(): NodeSqlite | undefined {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).includes('SQLite')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

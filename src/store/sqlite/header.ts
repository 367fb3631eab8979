import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { StoreError } from '../store.ts';
import { damaged } from './failure.ts';
import { APPLICATION_ID } from './schema.ts';

/**
 * Looks at the file before SQLite does, because SQLite takes an empty file for a new database and drops its log.
 * Throws StoreError DAMAGED for what is not a whole store of ours, UNAVAILABLE for what cannot be read.
 * Layout: https://sqlite.org/fileformat2.html#the_database_header
 */
export function inspectHeader(path: string): void {
  const { header, size } = readHeader(path);
  if (size < header.length) throw damaged(path, `it holds only ${size} bytes`);
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw damaged(path, 'it is not an SQLite file');
  if (header.readUInt32BE(68) !== APPLICATION_ID)
    throw damaged(path, 'it is an SQLite file of another program');
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  // SQLite reads the missing end of a page as zeros. With a log beside it the page may yet be written.
  if (size % pageSize !== 0 && !existsSync(`${path}-wal`)) throw damaged(path, 'it ends within a page');
}

function readHeader(path: string): { readonly header: Buffer; readonly size: number } {
  let handle: number | undefined;
  try {
    handle = openSync(path, 'r');
    const header = Buffer.alloc(100);
    readSync(handle, header, 0, header.length, 0);
    return { header, size: fstatSync(handle).size };
  } catch (error) {
    throw new StoreError('UNAVAILABLE', `${path} cannot be read`, { cause: error });
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

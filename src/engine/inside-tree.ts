import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from './engine-error.ts';

/**
 * Throws BAD_INPUT when a folder on the way to `path` (below `top`) is a link or no folder, so that nothing is
 * written outside the working tree.
 */
export function assertInside(top: string, path: string): void {
  const folder = dirname(path);
  if (folder !== '.') assertInside(top, folder);
  const stats = folder === '.' ? undefined : lstatSync(join(top, folder), { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) {
    throw new EngineError('BAD_INPUT', `${folder} is no plain folder: nothing is written through it`);
  }
}

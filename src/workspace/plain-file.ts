import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const LARGEST = 1024 * 1024;

/**
 * The text of a small file, by a way that others may have named: a pipe would keep whoever reads it waiting for ever, and a
 * device would never end. Throws for what is no such file.
 */
export function plainFile(path: string): string {
  const open = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(open);
    if (!stats.isFile() || stats.size > LARGEST) throw new Error(`${path} is no small file`);
    return readFileSync(open, 'utf8');
  } finally {
    closeSync(open);
  }
}

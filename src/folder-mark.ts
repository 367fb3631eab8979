import { statSync } from 'node:fs';

/**
 * What the file system of this machine says of a folder and no other says of one with the same path: its number and when it was
 * made. '' where it cannot be read.
 */
export function folderMark(path: string): string {
  try {
    const { ino, birthtimeNs } = statSync(path, { bigint: true });
    return `${ino}.${birthtimeNs}`;
  } catch {
    return '';
  }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { CallerFiles } from './engine/composition.ts';

/** The files of whoever started this process. */
export const ownFiles = (folder: string): CallerFiles => ({
  folder,
  local: true,
  read: (path) => readFileSync(path === '-' ? 0 : path),
  has: existsSync,
  write: (path, content) => writeFileSync(path, content, { flag: 'wx' }),
});

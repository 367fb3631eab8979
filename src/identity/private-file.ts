import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { IdentityError } from './identity-error.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** The user that must own every private file: the one this process runs as. */
export function ownUid(): number {
  return process.getuid?.() ?? -1;
}

/**
 * The text of a file that only `uid` can read. Throws MISSING, NOT_A_FILE (a link, a pipe, a folder), OPEN_TO_OTHERS,
 * FOREIGN_OWNER, FILE_FAILED. The file is judged after it was opened, so nobody can swap it in between.
 */
export function readPrivate(path: string, uid = ownUid()): string {
  // Without O_NONBLOCK, a pipe in the place of the file would be waited for.
  const fd = attempt(path, () => openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new IdentityError('NOT_A_FILE', `${path} is not a plain file. Remove it.`);
    guard(path, stats, uid, '600');
    return attempt(path, () => readFileSync(fd, 'utf8'));
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes a file that only this user can read, whole or not at all. A link in its place is replaced, never followed.
 * With `existing: 'keep'` a file that is there already stays and EXISTS is thrown. Other errors as in readPrivate.
 */
export function writePrivate(path: string, text: string, existing: 'replace' | 'keep', unique: string): void {
  const directory = dirname(path);
  // The leading dot keeps it apart from every name that isName allows.
  const draft = join(directory, `.${basename(path)}.${unique}`);
  const fd = attempt(path, () => openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
  let renamed = false;
  try {
    attempt(path, () => {
      writeFileSync(fd, text);
      fsyncSync(fd);
      if (existing === 'keep') linkSync(draft, path);
      else renameSync(draft, path);
    });
    renamed = existing === 'replace';
  } finally {
    closeSync(fd);
    if (!renamed) unlinkSync(draft);
  }
  syncDirectory(directory);
}

/** Makes the folder and those above it for this user alone, or refuses one that others can enter. */
export function privateDirectory(path: string, uid = ownUid()): void {
  attempt(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }));
  checkDirectory(path, uid);
}

/** Throws MISSING, NOT_A_FILE, OPEN_TO_OTHERS or FOREIGN_OWNER unless this is a real folder for `uid` alone. */
export function checkDirectory(path: string, uid = ownUid()): void {
  const stats = attempt(path, () => lstatSync(path));
  if (!stats.isDirectory()) throw new IdentityError('NOT_A_FILE', `${path} is not a folder. Remove it.`);
  guard(path, stats, uid, '700');
}

function guard(path: string, stats: Stats, uid: number, mode: '600' | '700'): void {
  if (stats.uid !== uid) {
    throw new IdentityError(
      'FOREIGN_OWNER',
      `${path} belongs to user ${stats.uid}, this process runs as ${uid}. Run it as the owner, or remove the file.`,
    );
  }
  if ((stats.mode & 0o077) === 0) return;
  const now = (stats.mode & 0o777).toString(8);
  throw new IdentityError(
    'OPEN_TO_OTHERS',
    `other users can reach ${path} (mode ${now}). Run: chmod ${mode} '${path}'`,
  );
}

const CODES = {
  ENOENT: 'MISSING',
  EEXIST: 'EXISTS',
  ELOOP: 'NOT_A_FILE',
  ENOTDIR: 'NOT_A_FILE',
  ENXIO: 'NOT_A_FILE',
} as const;

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const errno = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const code = Object.entries(CODES).find(([name]) => name === errno)?.[1] ?? 'FILE_FAILED';
    throw new IdentityError(code, `${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function syncDirectory(path: string): void {
  const fd = attempt(path, () => openSync(path, O_RDONLY | O_DIRECTORY));
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

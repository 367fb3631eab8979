import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { EvidencePort, FilePort } from './engine/ports.ts';
import type { Repository } from './workspace/repository.ts';

/** Bytes under their digest, two levels deep; written once, read with the digest checked. */
export function evidenceFiles(folder: string, assertShared: () => void): EvidencePort {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  return {
    assertShared,
    put(bytes) {
      assertShared();
      const sha256 = digest(bytes);
      const present = readIf(pathOf(sha256));
      if (present !== undefined && digest(present) === sha256) return sha256;
      replace(pathOf(sha256), bytes);
      return sha256;
    },
    get(sha256) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
      const bytes = readIf(pathOf(sha256));
      return bytes !== undefined && digest(bytes) === sha256 ? bytes : undefined;
    },
  };
}

/** Files of the engine below its state folder; people see their paths from the repository's main folder. */
export function stateFiles(state: string, repo: Repository, cwd: string): FilePort {
  const home = basename(repo.commonDir) === '.git' ? dirname(repo.commonDir) : repo.commonDir;
  const shown = (path: string) => relative(home, path);
  // A git folder that was given another name or place since took along what lies in it.
  const now = (path: string) => join(state, /^(?:\.git\/)?countersign\/(.+)$/.exec(path)?.[1] ?? path);
  return {
    write(folder, name, extension, text) {
      for (let n = 1; ; n++) {
        const path = join(state, folder, `${name}${n === 1 ? '' : `-${n}`}${extension}`);
        if (writeNew(path, text)) return shown(path);
      }
    },
    read: (path) => readIf(resolve(home, path)) ?? readIf(now(path)),
    project(path, text) {
      replace(join(repo.top, path), Buffer.from(text));
    },
    readTree: (path) => readPlain(join(repo.top, path)),
    readWorking: (path) => readPlain(isAbsolute(path) ? path : join(cwd, path)),
  };
}

const readIf = (path: string): Buffer | undefined => unlessAbsent(() => readFileSync(path));

/** A pipe or device would be waited for, or never end. */
const readPlain = (path: string): Buffer | undefined => (isFile(path) ? readIf(path) : undefined);

const isFile = (path: string): boolean =>
  unlessAbsent(() => statSync(path, { throwIfNoEntry: false })?.isFile()) ?? false;

/** What the system says of a path at which no file can be: names that lead nowhere, round in circles, or are too long. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']);

function unlessAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Writes a file that was not there; false when the name is taken. Durable before it answers. */
function writeNew(path: string, text: string): boolean {
  makeFolder(dirname(path));
  try {
    writeTo(path, 'wx', Buffer.from(text));
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Readers see the old file or the new one, never a part. Durable before it answers. */
function replace(path: string, bytes: Uint8Array): void {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.part`;
  writeTo(draft, 'w', bytes);
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** A new folder, and each above it that was made on the way, is durable only when the one around it is. */
function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeTo(path: string, flags: string, bytes: Uint8Array): void {
  const file = openSync(path, flags, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

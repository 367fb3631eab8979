import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Memory } from './trees.ts';

/** Signs what is kept, and says of a text and its mark whether the same key made it. */
export interface Seal {
  mark(text: string): string;
  holds(text: string, mark: string): boolean;
}

/**
 * Results in a folder of the machine, one file each, written whole or not at all. Keys are hex digests. What does not
 * carry the seal's own mark for its key was written by somebody else and is not there.
 */
export function memoryIn(folder: string, seal: Seal | undefined): Memory {
  if (seal === undefined) return { recall: async () => undefined, keep: async () => {} };
  const fileOf = (key: string) => join(folder, `${key}.json`);
  const bound = (key: string, text: string) => JSON.stringify(['memory/1', key, text]);
  return {
    async recall(key) {
      const kept = await readFile(fileOf(key), 'utf8').catch(() => undefined);
      const [text, mark] = kept === undefined ? [] : pairOf(kept);
      return text !== undefined && mark !== undefined && seal.holds(bound(key, text), mark)
        ? text
        : undefined;
    },
    async keep(key, text) {
      // Other runs, also of this process, may keep the same at once; and what cannot be kept is found out again.
      const draft = join(folder, `${key}.${randomUUID()}.draft`);
      const content = JSON.stringify([text, seal.mark(bound(key, text))]);
      await mkdir(folder, { recursive: true, mode: 0o700 })
        .then(() => writeFile(draft, content, { mode: 0o600 }))
        .then(() => rename(draft, fileOf(key)))
        .catch(() => rm(draft, { force: true }).catch(() => undefined));
    },
  };
}

function pairOf(kept: string): readonly (string | undefined)[] {
  try {
    const pair: unknown = JSON.parse(kept);
    return Array.isArray(pair) && pair.every((part) => typeof part === 'string') ? pair : [];
  } catch {
    return [];
  }
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../attestation/digest.ts';

/** A file as it was before anything of ours was in it, and by what it is known that nobody changed it since. */
interface Original {
  /** null where there was none. */
  readonly before: string | null;
  readonly digest: string;
}

/** What becomes of a file, and whether nothing of ours was in it before. */
interface Changed {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isFirst: boolean;
}

/** By the path below the top of the working tree. */
export type Originals = { readonly [path: string]: Original };

/** The original of a file that is as we left it; undefined for any other. */
export function originalOf(
  originals: Originals,
  path: string,
  text: string | undefined,
): Original | undefined {
  const kept = Object.hasOwn(originals, path) ? originals[path] : undefined;
  return text !== undefined && kept?.digest === sha256Hex(text) ? kept : undefined;
}

const fileOf = (state: string) => join(state, 'harness.json');

/** What was kept for a working tree, in the folder of the store. */
export function originalsIn(state: string, top: string): Originals {
  return all(state)[top] ?? {};
}

/** Keeps what the files were before these changes; of a file that others changed in between nothing is kept any more. */
export function keepOriginals(state: string, top: string, changes: readonly Changed[]): void {
  const kept: { [path: string]: Original } = { ...originalsIn(state, top) };
  for (const { path, before, after, isFirst } of changes) {
    const original = isFirst ? { before: before ?? null } : originalOf(kept, path, before);
    delete kept[path];
    if (original !== undefined && after !== undefined)
      kept[path] = { before: original.before, digest: sha256Hex(after) };
  }
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(fileOf(state), JSON.stringify({ ...all(state), [top]: kept }), { mode: 0o600 });
}

function all(state: string): { readonly [top: string]: Originals } {
  try {
    return JSON.parse(readFileSync(fileOf(state), 'utf8')) as { [top: string]: Originals };
  } catch {
    return {};
  }
}

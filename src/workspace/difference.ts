import { ALL_OF_THEM } from './diff.ts';
import { streamGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Which part of a difference: of one path, or of all where it is ''; up to `limit` bytes from a byte on. */
export interface DifferencePart {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

export interface DifferencePage {
  readonly text: string;
  /** The byte to go on with. */
  readonly next: number;
  readonly total: number;
}

// Attributes of files that are judged, and settings, would say what is shown of them: none is read where there is no working tree.
const UNSEEN = ['-c', 'core.bare=true', '-c', 'attr.tree=refs/countersign/no-attributes'];
const HOW = ['-r', '-p', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', ALL_OF_THEM];
const NEWLINE = 10;

/**
 * A page of how two commits differ, as git tells it, cut after its last whole line, or within a line that is longer than the page.
 * However long the whole is, no more than the page is kept.
 */
export async function difference(
  { commonDir }: Repository,
  older: string,
  newer: string,
  { path, offset, limit }: DifferencePart,
): Promise<DifferencePage> {
  const kept: Buffer[] = [];
  let total = 0;
  // Of one file all is shown, whatever it is taken for.
  const how = path === '' ? HOW : [...HOW, '--text'];
  const args = ['diff-tree', ...how, '--end-of-options', older, newer, '--', ...(path === '' ? [] : [path])];
  await streamGit(commonDir, [`--git-dir=${commonDir}`, ...UNSEEN, ...args], '', (chunk) => {
    const part = chunk.subarray(Math.max(offset - total, 0), Math.max(offset + limit - total, 0));
    if (part.length > 0) kept.push(part);
    total += chunk.length;
  });
  const bytes = Buffer.concat(kept);
  const start = Math.min(offset, total);
  const length = start + bytes.length >= total ? bytes.length : cut(bytes);
  return { text: bytes.toString('utf8', 0, length), next: start + length, total };
}

/** After the last whole line, else before the last character, which may not be whole. */
function cut(bytes: Buffer): number {
  const line = bytes.lastIndexOf(NEWLINE) + 1;
  if (line > 0) return line;
  const last = bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  return last > 0 ? last : bytes.length;
}

import { matchesGlob } from '../glob.ts';
import type { ChangedText } from './changed-text.ts';
import type { Finding } from './finding.ts';

const kept = [
  '**/__snapshots__/**',
  '**/*.snap',
  '**/*.golden',
  '**/__golden__/**',
  '**/__image_snapshots__/**',
];

/** Whether a path holds what a test wrote down for itself to compare with. */
export const isSnapshot = (path: string): boolean => kept.some((pattern) => matchesGlob(path, pattern));

/**
 * Snapshots that lost or changed a line; new ones, and new entries in old ones, belong to new tests. One that moved as it
 * was, with the test that it belongs to, is what it was: `pairs` are the changed tests, each moved one with its old text.
 */
export function snapshotFindings(
  texts: readonly ChangedText[],
  pairs: readonly ChangedText[] = texts,
): readonly Finding[] {
  return texts.flatMap((text): readonly Finding[] => {
    if (!isSnapshot(text.path) || text.status === 'added') return [];
    if (text.status === 'modified' && text.diff().removed.size === 0 && text.before !== text.after) return [];
    if (text.status === 'deleted' && movedWithItsTest(text, texts, pairs)) return [];
    const message = `${JSON.stringify(text.path)} is a snapshot that was ${text.status}`;
    return [{ reason: 'test-weakened', path: text.path, message, signable: true }];
  });
}

/** The test that a snapshot of vitest and jest belongs to, by where they put it. */
const ownerOf = (path: string): string | undefined => {
  const [, folder = '', name] = /^(.*?)__snapshots__\/([^/]+)\.snap$/.exec(path) ?? [];
  return name === undefined ? undefined : `${folder}${name}`;
};

function movedWithItsTest(
  snapshot: ChangedText,
  texts: readonly ChangedText[],
  pairs: readonly ChangedText[],
): boolean {
  const owner = texts.find(({ path, status }) => status === 'deleted' && path === ownerOf(snapshot.path));
  if (owner === undefined) return false;
  return texts.some(
    ({ path, status, after }) =>
      status === 'added' &&
      after === snapshot.before &&
      pairs.some((pair) => pair.path === ownerOf(path) && pair.before === owner.before),
  );
}

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

/** Snapshots that lost or changed a line; new ones, and new entries in old ones, belong to new tests. */
export function snapshotFindings(texts: readonly ChangedText[]): readonly Finding[] {
  return texts.flatMap((text): readonly Finding[] => {
    if (!isSnapshot(text.path) || text.status === 'added') return [];
    if (text.status === 'modified' && text.diff().removed.size === 0 && text.before !== text.after) return [];
    const message = `${JSON.stringify(text.path)} is a snapshot that was ${text.status}`;
    return [{ reason: 'test-weakened', path: text.path, message, signable: true }];
  });
}

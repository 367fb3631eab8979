import { existsSync } from 'node:fs';
import type { StandingRef } from '../../workspace/pushed.ts';
import { askAt, gitFolderAt } from '../../workspace/received.ts';
import type { Judged, Update } from './gate.ts';
import { readGateFolder } from './gate-folder.ts';
import { judgePush, readUpdates } from './judge-push.ts';
import { papersAt } from './papers.ts';

/** A push as the hook of a repository meets it. */
export interface Push {
  readonly folder: string;
  /** Where the pushed objects wait, '' where they are in place. */
  readonly quarantine: string;
  /** What git wrote to the hook. */
  readonly lines: string;
}

/** Judges a push to the repository around `folder`. Throws BAD_INPUT, NOT_FOUND, BAD_CONFIG: nothing is then taken. */
export async function gatePush({ folder, quarantine, lines }: Push): Promise<readonly Judged[]> {
  const gitDir = gitFolderAt(folder);
  const updates = readUpdates(lines);
  const ask = askAt(gitDir, quarantine);
  const { own, keys, people, proofs } = await readGateFolder(gitDir);
  const papers = papersAt(ask, comingRefs(updates), existsSync(proofs) ? proofs : '');
  return judgePush({ ask, own, keys, people, papers }, updates);
}

/** Papers that come with the push count in it: the push is taken as a whole, or not at all. */
function comingRefs(updates: readonly Update[]): readonly StandingRef[] {
  return updates
    .filter(({ ref, old, next }) => old === '' && next !== '' && ref.startsWith('refs/countersign/'))
    .map(({ ref, next }) => ({ ref, id: next }));
}

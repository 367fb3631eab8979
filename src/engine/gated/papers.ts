import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileIn, refsBelow, type StandingRef } from '../../workspace/pushed.ts';
import type { AskGit } from '../../workspace/received.ts';

/** Refs that carry proof packs (`…/TREE/SHA256`) and overrides (`…/COMMIT/SHA256`), each a commit with one file. */
export const PROOFS = 'refs/countersign/proofs';
export const OVERRIDES = 'refs/countersign/overrides';

/** The one file of such a commit. */
export const FILE_OF = { [PROOFS]: 'pack.intoto.jsonl', [OVERRIDES]: 'override.intoto.jsonl' } as const;

/** Longer ones are not read: whoever may push must not be able to fill the memory of the server. */
export const MOST_BYTES = 8 << 20;
const MOST_PAPERS = 100;

/** A signed document, and where it was found. */
export interface Paper {
  readonly where: string;
  readonly bytes: Uint8Array;
}

/** The proof packs and overrides that are at hand; nothing here says what they are worth. */
export interface Papers {
  packs(tree: string): readonly Paper[];
  overrides(commit: string): readonly Paper[];
  /** The newest packs, whatever tree they are about. */
  recent(most: number): readonly Paper[];
}

/** Those that stand in the repository, come with this push, or lie in a folder of the server ('' for none). */
export function papersAt(ask: AskGit, pushed: readonly StandingRef[], folder: string): Papers {
  const from = (root: keyof typeof FILE_OF, refs: readonly StandingRef[]) =>
    refs.flatMap((ref) => paperOf(ask, root, ref));
  const found = (root: keyof typeof FILE_OF, about: string): readonly Paper[] => {
    const below = `${root}/${about}/`;
    const coming = pushed.filter(({ ref }) => ref.startsWith(below));
    const standing = refsBelow(ask, below, MOST_PAPERS);
    return [...from(root, unique([...coming, ...standing])), ...inFolder(folder, about, FILE_OF[root])];
  };
  return {
    packs: (tree) => found(PROOFS, tree),
    overrides: (commit) => found(OVERRIDES, commit),
    recent(most) {
      const coming = pushed.filter(({ ref }) => ref.startsWith(`${PROOFS}/`));
      const standing = refsBelow(ask, `${PROOFS}/`, most, '-committerdate');
      return [
        ...from(PROOFS, unique([...coming, ...standing]).slice(0, most)),
        ...inFolder(folder, '', FILE_OF[PROOFS]),
      ];
    },
  };
}

/** The paper in one such ref, undefined where its commit has no file of that name. */
export function paperIn(
  ask: AskGit,
  root: keyof typeof FILE_OF,
  { id, ref }: StandingRef,
): Paper | undefined {
  const bytes = fileIn(ask, id, FILE_OF[root], MOST_BYTES);
  return bytes === undefined ? undefined : { where: ref, bytes };
}

function paperOf(ask: AskGit, root: keyof typeof FILE_OF, ref: StandingRef): readonly Paper[] {
  const paper = paperIn(ask, root, ref);
  return paper === undefined ? [] : [paper];
}

const unique = (refs: readonly StandingRef[]) => [...new Map(refs.map((ref) => [ref.ref, ref])).values()];

/** Files named `ABOUT-….pack.intoto.jsonl`, as `proof push --folder` writes them. */
function inFolder(folder: string, about: string, ending: string): readonly Paper[] {
  if (folder === '') return [];
  const names = readdirSync(folder)
    .filter((name) => name.startsWith(about) && name.endsWith(`.${ending}`))
    .sort()
    .slice(0, MOST_PAPERS);
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > MOST_BYTES) return [];
    return [{ where: path, bytes: readFileSync(path) }];
  });
}

import type { TrustedKey } from '../../attestation/key.ts';
import { defaultBranch } from '../../workspace/base.ts';
import { resolveClaim } from '../../workspace/claim.ts';
import { askIn } from '../../workspace/received.ts';
import type { Repository } from '../../workspace/repository.ts';
import { EngineError } from '../engine-error.ts';
import type { Gate, Judged } from './gate.ts';
import { judgeBranch } from './judge-branch.ts';
import { papersAt } from './papers.ts';
import { gateSectionOf } from './policy.ts';

/** What a pipeline asks: may this land there? */
export interface Asked {
  /** Where the branch stands; '' = the default branch. */
  readonly base: string;
  readonly head: string;
  /** The branch that it lands on; '' = the one that the base names. */
  readonly branch: string;
  readonly keys: readonly TrustedKey[];
  readonly people: readonly TrustedKey[];
  /** A folder with proof packs, '' for none. */
  readonly proofs: string;
}

/** The judgement of a gate without a push. Throws BAD_INPUT without a key, UNKNOWN_COMMIT, NO_BASE. */
export async function judgeInPipeline(repo: Repository, asked: Asked): Promise<Judged> {
  if (asked.keys.length === 0)
    throw new EngineError(
      'BAD_INPUT',
      'no key is trusted: nothing could be judged',
      'name public keys that this repository does not hold: countersign ci --key FILE',
    );
  const found = asked.base === '' ? defaultBranch(repo) : { ref: asked.base, name: asked.base };
  const commitOf = (name: string) =>
    resolveClaim(repo, { commit: name, base: name, defaultBranch: '' }).commit;
  const ask = askIn(repo);
  const gate: Gate = {
    ask,
    own: gateSectionOf(undefined),
    keys: asked.keys,
    people: asked.people,
    papers: papersAt(ask, [], asked.proofs),
    tips: [],
  };
  const branch = asked.branch || found.name.replace(/^(refs\/heads\/|(refs\/remotes\/)?origin\/)/, '');
  const update = { ref: `refs/heads/${branch}`, old: commitOf(found.ref), next: commitOf(asked.head) };
  return judgeBranch(gate, update, gateSectionOf(undefined));
}

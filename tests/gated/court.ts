import { sha256Hex } from '../../src/attestation/digest.ts';
import { generateKeyPair, type Signer, signerFrom } from '../../src/attestation/key.ts';
import { sealOverride } from '../../src/attestation/override.ts';
import { sealProofPack } from '../../src/attestation/proof-pack.ts';
import { revision } from '../../src/attestation/statement.ts';
import type { VerdictBody } from '../../src/attestation/verdict.ts';
import type { Finding, Judged, Update } from '../../src/engine/gated/gate.ts';
import { judgePush } from '../../src/engine/gated/judge-push.ts';
import { papersAt } from '../../src/engine/gated/papers.ts';
import { gateSectionOf } from '../../src/engine/gated/policy.ts';
import { keepOverride, keepPack } from '../../src/engine/gated/send-packs.ts';
import { askAt } from '../../src/workspace/received.ts';
import { locateRepository, type Repository } from '../../src/workspace/repository.ts';
import { VERDICT } from '../fixtures/sample-pack.ts';
import { runIn, type Scratch, scratch } from '../fixtures/scratch-repo.ts';

/** A repository that is judged as a server would judge it, and keys with which anything can be signed. */
export interface Court {
  readonly repo: Scratch;
  readonly runner: Signer;
  readonly person: Signer;
  /** Judges updates; `own` is what the server demands, main protected unless it says otherwise. */
  judge(updates: readonly Update[], own?: Readonly<Record<string, unknown>>): Promise<readonly Judged[]>;
  /** The findings on one update of main to a commit. */
  onMain(next: string, own?: Readonly<Record<string, unknown>>): Promise<readonly Finding[]>;
  /** What is found at an update of a ref that stands where the update says. */
  onRef(
    ref: string,
    next: string,
    old?: string,
    own?: Readonly<Record<string, unknown>>,
  ): Promise<readonly string[]>;
  /** A pack on a commit, judged against main unless another base is said, under its ref. */
  pack(commit: string, verdict?: Partial<VerdictBody>, signer?: Signer): string;
  /** An override of an update of main, under its ref. */
  override(next: string, permits: readonly string[], said?: Partial<Said>): string;
  /** Puts a ref on a commit with one file, and answers that. */
  paper(ref: string, name: string, text: string): string;
  /** A commit on top of another, on no branch. */
  commitOn(parent: string, files: Readonly<Record<string, string>>): string;
  remove(): void;
}

interface Said {
  readonly ref: string;
  readonly old: string;
  readonly signer: Signer;
  readonly tree: string;
}

const CRITERIA = '.countersign/criteria/default.yaml';
const FIRST = {
  [CRITERIA]: 'schema: countersign/criteria/1\nname: default\nchecks: []\n',
  'a.txt': 'a\n',
};

const DIGESTED = { path: CRITERIA, digest: sha256Hex(FIRST[CRITERIA]) };

export const newSigner = (): Signer => signerFrom(generateKeyPair().privatePem);

export function openCourt(format: 'sha1' | 'sha256' = 'sha1'): Court {
  const repo = scratch({ format });
  repo.commit(FIRST, 'first');
  const runner = newSigner();
  const person = newSigner();
  const place: Repository = locateRepository(repo.top, {});
  const ask = askAt(place.gitDir, '');
  const tip = () => repo.git('rev-parse', 'main');
  const treeOf = (commit: string) => repo.git('rev-parse', `${commit}^{tree}`);
  const judge: Court['judge'] = (updates, own = { branches: ['main'] }) => {
    const coming = updates.filter(({ old }) => old === '').map(({ ref, next }) => ({ ref, id: next }));
    const papers = papersAt(ask, coming, '');
    return judgePush({ ask, own: gateSectionOf(own), keys: [runner], people: [person], papers }, updates);
  };
  return {
    repo,
    runner,
    person,
    judge,
    async onMain(next, own) {
      const [judged] = await judge([{ ref: 'refs/heads/main', old: tip(), next }], own);
      return judged?.findings ?? [];
    },
    async onRef(ref, next, old = '', own = undefined) {
      if (old !== '') repo.git('update-ref', ref, old);
      else if (repo.git('for-each-ref', ref).endsWith(ref)) repo.git('update-ref', '-d', ref);
      return codesOf((await judge([{ ref, old, next }], own))[0]?.findings ?? []);
    },
    pack(commit, verdict = {}, signer = runner) {
      const body = { ...VERDICT, criteria: DIGESTED, baseCommit: tip(), ...verdict };
      const tree = treeOf(commit);
      const bytes = Buffer.from(
        sealProofPack([], { subject: revision(commit, tree), predicate: body }, signer),
      );
      const ref = `refs/countersign/proofs/${tree}/${sha256Hex(bytes)}`;
      keepPack(place, { item: 'T-1', ref, commit, tree, bytes, at: body.endedAt });
      return ref;
    },
    override(
      next,
      permits,
      { ref = 'refs/heads/main', old = tip(), signer = person, tree = treeOf(next) } = {},
    ) {
      const signedAt = '2026-03-01T09:00:00.000Z';
      const predicate = { ref, old, permits, reason: 'agreed', signedAt };
      return keepOverride(place, next, sealOverride({ commit: next, tree }, predicate, signer), signedAt);
    },
    paper(ref, name, text) {
      const blob = runIn(repo.top, ['hash-object', '-w', '--stdin'], text);
      const tree = runIn(repo.top, ['mktree'], `100644 blob ${blob}\t${name}\n`);
      const commit = repo.git('commit-tree', tree, '-m', 'paper');
      repo.git('update-ref', ref, commit);
      return commit;
    },
    commitOn(parent, files) {
      repo.git('checkout', '-q', '--detach', parent);
      const commit = repo.commit(files);
      repo.git('checkout', '-q', 'main');
      return commit;
    },
    remove: () => repo.remove(),
  };
}

export const codesOf = (findings: readonly Finding[]): readonly string[] => findings.map(({ code }) => code);

import { readFileSync } from 'node:fs';
import { type Signer, signerFrom } from '../../attestation/key.ts';
import { sealOverride } from '../../attestation/override.ts';
import { resolveClaim } from '../../workspace/claim.ts';
import { pushedCommit } from '../../workspace/pushed.ts';
import { askIn } from '../../workspace/received.ts';
import type { Repository } from '../../workspace/repository.ts';
import { EngineError } from '../engine-error.ts';
import { PERMITTED } from './gate.ts';
import { keepOverride } from './send-packs.ts';

/** What a person lets go, and of which update. */
export interface AskedOverride {
  /** A private key in PEM form. */
  readonly key: string;
  readonly branch: string;
  /** A commit by any name; '' = the ref is not there yet. */
  readonly base: string;
  readonly head: string;
  readonly permits: readonly string[];
  readonly reason: string;
  readonly at: string;
}

export interface SignedOverride {
  readonly ref: string;
  readonly branch: string;
  readonly old: string;
  readonly commit: string;
  readonly permits: readonly string[];
  readonly keyid: string;
}

/** Signs an override with a person's key and keeps it under its ref. Throws BAD_INPUT, BAD_KEY, UNKNOWN_COMMIT. */
export function signOverride(repo: Repository, asked: AskedOverride): SignedOverride {
  const strange = asked.permits.filter((code) => !(PERMITTED as readonly string[]).includes(code));
  if (strange.length > 0 || asked.permits.length === 0)
    throw new EngineError(
      'BAD_INPUT',
      strange.length > 0 ? `nobody can let go of ${strange.join(', ')}` : 'nothing is let go',
      `--permit takes: ${PERMITTED.join(', ')}`,
    );
  if (asked.reason.trim() === '')
    throw new EngineError('BAD_INPUT', 'a reason is needed', 'say why with --reason TEXT');
  const { commit, tree } = named(repo, asked.head);
  const old = asked.base === '' ? '0'.repeat(commit.length) : named(repo, asked.base).commit;
  const branch = asked.branch.startsWith('refs/') ? asked.branch : `refs/heads/${asked.branch}`;
  const { permits, reason, at } = asked;
  const signer = signerOf(asked.key);
  const text = sealOverride({ commit, tree }, { ref: branch, old, permits, reason, signedAt: at }, signer);
  return { ref: keepOverride(repo, commit, text, at), branch, old, commit, permits, keyid: signer.keyid };
}

function named(repo: Repository, name: string) {
  const { commit } = resolveClaim(repo, { commit: name, base: name, defaultBranch: '' });
  const tree = pushedCommit(askIn(repo), commit)?.tree ?? '';
  return { commit, tree };
}

function signerOf(path: string): Signer {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    const hint = 'make one with: openssl genpkey -algorithm ed25519 -out KEY.pem';
    throw new EngineError('NOT_FOUND', `${path} cannot be read`, hint, { cause });
  }
  return signerFrom(pem);
}

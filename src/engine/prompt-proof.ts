import { sha256Hex } from '../attestation/digest.ts';
import { confirmationCode } from '../identity/code.ts';
import { proofId } from '../identity/proof.ts';
import type { HumanProof } from '../kernel/command.ts';

type Random = (bytes: number) => Buffer;

/** A code for what was shown, and the digest by which it is known again: the code itself is kept nowhere. */
export function promptCode(
  shown: string,
  random: Random,
): { readonly code: string; readonly digest: string } {
  const code = confirmationCode(shown, random(32));
  return { code, digest: sha256Hex(code) };
}

/**
 * The proof of a person who typed the code as a prompt of a coding agent. A process of the same user can pretend to be
 * that agent: the channel says so, and the level of protection says what it is worth.
 */
export function promptProof({
  digest,
  purpose,
  at,
  random,
}: {
  readonly digest: string;
  readonly purpose: string;
  readonly at: Date;
  readonly random: Random;
}): HumanProof {
  return { id: proofId(random), digest, purpose, at: at.toISOString(), channel: 'prompt' };
}

import { confirmationCode } from '../identity/code.ts';
import { isKeptCode, keptCode } from '../identity/kept-code.ts';
import { proofId } from '../identity/proof.ts';
import type { HumanProof } from '../kernel/command.ts';

type Random = (bytes: number) => Buffer;

/**
 * A code for what was shown, and what is kept to know it again. The code itself is kept nowhere, and is not found from what
 * is kept as long as it holds.
 */
export function promptCode(shown: string, random: Random): { readonly code: string; readonly kept: string } {
  const code = confirmationCode(shown, random(32));
  return { code, kept: keptCode(code, random(16)) };
}

/** Whether a person typed the code of which this was kept. */
export const isPromptCode = (typed: string, kept: string): boolean => isKeptCode(typed, kept);

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

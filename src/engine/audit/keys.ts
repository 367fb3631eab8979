import { type TrustedKey, trustedKeyFrom } from '../../attestation/key.ts';
import { type Roster, trustedKeys } from '../../identity/roster.ts';
import type { Ports } from '../ports.ts';
import type { Findings } from './findings.ts';

export interface AuditKeys {
  /** Keys that the log names for checkpoints, and for the runner. */
  readonly checkpoint: readonly TrustedKey[];
  readonly runner: readonly TrustedKey[];
  /** Keys known from outside the log: those of this user on this machine, and those that were given. */
  readonly pinned: readonly TrustedKey[];
}

/** The keys to judge a store with. A log that does not name the keys of its own machine was begun anew. */
export function auditKeys(
  ports: Pick<Ports, 'signer'>,
  roster: Roster,
  given: readonly TrustedKey[],
  findings: Findings,
): AuditKeys {
  const own = (['checkpoint', 'runner'] as const).flatMap((purpose) => ownKey(ports, purpose) ?? []);
  for (const { keyid } of own) {
    if (!roster.keys.has(keyid))
      findings.broken(
        'roster',
        `it does not name the key ${keyid} that signs here: another log stands in its place`,
      );
  }
  const pinned = [...own, ...given];
  if (pinned.length === 0)
    findings.doubt('keys', 'no key is known from outside the log; give its public keys with --key');
  return {
    checkpoint: trustedKeys(roster, 'checkpoint').filter(isSound),
    runner: trustedKeys(roster, 'runner').filter(isSound),
    pinned,
  };
}

/** Undefined where this user has no key: an auditor need not be able to sign. */
function ownKey(ports: Pick<Ports, 'signer'>, purpose: 'checkpoint' | 'runner'): TrustedKey | undefined {
  try {
    const { keyid, publicPem } = ports.signer(purpose);
    return { keyid, publicPem };
  } catch {
    return undefined;
  }
}

/** A forged entry must not keep the rest from being judged; it has its own finding where it was added. */
function isSound({ keyid, publicPem }: TrustedKey): boolean {
  try {
    return trustedKeyFrom(publicPem).keyid === keyid;
  } catch {
    return false;
  }
}

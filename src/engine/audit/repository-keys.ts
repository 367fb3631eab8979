import type { TrustedKey } from '../../attestation/key.ts';
import { trustedKeys } from '../../identity/roster.ts';
import type { Ports } from '../ports.ts';
import { readRoster } from '../roster.ts';

/** Every key that ever signed for this repository, as its roster names them. */
export async function repositoryKeys(ports: Pick<Ports, 'store'>): Promise<readonly TrustedKey[]> {
  return trustedKeys((await readRoster(ports)).roster);
}

export interface NamedKey extends TrustedKey {
  readonly purpose: string;
  readonly retired: boolean;
}

/** The same, with what each is for. */
export async function namedKeys(ports: Pick<Ports, 'store'>): Promise<readonly NamedKey[]> {
  return [...(await readRoster(ports)).roster.keys.values()];
}

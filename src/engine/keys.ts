import { sha256Hex } from '../attestation/digest.ts';
import { currentKeys, type Roster } from '../identity/roster.ts';
import type { RosterChange } from '../identity/roster-event.ts';
import type { Caller } from './caller.ts';
import { checkpoint } from './checkpoint.ts';
import type { KeyPurpose, Opened, StagedKey } from './composition.ts';
import { draft } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { nowOf, type Ports } from './ports.ts';
import { useProof } from './proof.ts';
import { ROSTER, readRoster } from './roster.ts';
import { bodyOf } from './stored.ts';

type Keyed = Pick<Ports, 'store' | 'signer'>;

/** How to come by a key: a new one retires the one that another machine may sign with. */
export const renewHint = (purpose: KeyPurpose) =>
  `bring the key file from where the store was made; where it is lost, a person runs: countersign key renew --purpose ${purpose}`;

/** Throws NO_CREDENTIAL, with the way on, unless the key here is one that may sign for the repository now. */
export async function requireSigner(ports: Keyed, purpose: KeyPurpose): Promise<void> {
  const { keyid } = ports.signer(purpose);
  const { roster } = await readRoster(ports);
  if (isCurrent(roster, purpose, keyid)) return;
  const state = roster.keys.get(keyid)?.retired === true ? 'is retired' : 'is not one of the repository';
  throw new EngineError('NO_CREDENTIAL', `the ${purpose} key here ${state}`, renewHint(purpose));
}

/** Whether there is a key here that may sign for the repository now. */
export async function canSign(ports: Keyed, purpose: KeyPurpose): Promise<boolean> {
  const keyid = keyidHere(ports, purpose);
  return keyid !== undefined && isCurrent((await readRoster(ports)).roster, purpose, keyid);
}

const isCurrent = (roster: Roster, purpose: KeyPurpose, keyid: string) =>
  currentKeys(roster, purpose).some((key) => key.keyid === keyid);

export interface ListedKey {
  readonly keyid: string;
  readonly purpose: string;
  readonly state: 'current' | 'retired';
  /** Whether its private part is in use on this machine. */
  readonly here: boolean;
}

/** The keys that the roster names. */
export async function listKeys(ports: Keyed, purposes: readonly KeyPurpose[]): Promise<readonly ListedKey[]> {
  const own = new Set(purposes.map((purpose) => keyidHere(ports, purpose)));
  const { roster } = await readRoster(ports);
  return [...roster.keys.values()].map(({ keyid, purpose, retired }) => {
    return { keyid, purpose, state: retired ? 'retired' : 'current', here: own.has(keyid) };
  });
}

function keyidHere(ports: Keyed, purpose: KeyPurpose): string | undefined {
  try {
    return ports.signer(purpose).keyid;
  } catch {
    return undefined;
  }
}

export interface RenewedKey {
  readonly purpose: KeyPurpose;
  /** Ids of the keys that it takes the place of. */
  readonly old: readonly string[];
  readonly staged: StagedKey;
}

/** New keys beside those in use, as a person is asked to confirm them. */
export interface Renewal {
  readonly keys: readonly RenewedKey[];
  /** Version of the roster that it was prepared on. */
  readonly version: number;
  /** SHA-256 over purposes, old ids and new id. */
  readonly digest: string;
}

/** Makes the new keys. Nothing signs with them, and the log does not name them, before renewKeys. */
export async function prepareRenewal(
  { ports, stageKey }: Pick<Opened, 'ports' | 'stageKey'>,
  purposes: readonly KeyPurpose[],
): Promise<Renewal> {
  const { roster, version } = await readRoster(ports);
  const keys: RenewedKey[] = [];
  try {
    for (const purpose of purposes) {
      const old = currentKeys(roster, purpose).map(({ keyid }) => keyid);
      keys.push({ purpose, old, staged: stageKey(purpose) });
    }
  } catch (error) {
    dropRenewal({ keys });
    throw error;
  }
  const lines = keys.map(({ purpose, old, staged }) => [purpose, ...old, staged.keyid].join(' '));
  return { keys, version, digest: sha256Hex(lines.join('\n')) };
}

/** Removes new keys that nobody confirmed, or that lost against others. */
export function dropRenewal({ keys }: Pick<Renewal, 'keys'>): void {
  for (const { staged } of keys) staged.drop();
}

/**
 * Puts new keys in force by a person's word: the roster names them and retires the old ones, whose signatures stay
 * good. Of two at once one wins. Answers whether a checkpoint signed with the key now in use covers the change.
 * Throws NO_CREDENTIAL, BUSY.
 */
export async function renewKeys(ports: Ports, caller: Caller, renewal: Renewal): Promise<boolean> {
  const { actor, proof } = caller;
  if (actor.kind !== 'human' || proof?.digest !== renewal.digest)
    throw new EngineError(
      'NO_CREDENTIAL',
      'only a person renews keys, at a terminal',
      'run it in a terminal',
    );
  const at = nowOf(ports);
  const write = draft(ports.newId(), at);
  useProof(write, proof);
  const bodies = renewal.keys
    .flatMap(changes)
    .map((change) => bodyOf({ ...change, at, by: actor.id }, write.commandId));
  const { commandId, documents, readSet, links, jobs, fences } = write;
  const appends = [{ stream: ROSTER, expected: renewal.version, bodies }, ...documents];
  const result = await ports.store.commit({
    commandId,
    appends,
    ...{ readSet, items: [], links, jobs, fences },
  });
  if (result.kind !== 'committed')
    throw new EngineError('BUSY', 'the roster changed meanwhile; no key was renewed', 'run it again');
  for (const { staged } of renewal.keys) staged.use();
  return coverNow(ports);
}

function changes({ purpose, old, staged: { keyid, publicPem } }: RenewedKey): readonly RosterChange[] {
  return [
    { type: 'key-added', keyid, publicPem, purpose },
    ...old.map((retired) => ({ type: 'key-retired' as const, keyid: retired })),
  ];
}

/** The keys are renewed whether or not a checkpoint can be made, so that it cannot is no error here. */
async function coverNow(ports: Ports): Promise<boolean> {
  if (!(await canSign(ports, 'checkpoint'))) return false;
  try {
    await checkpoint(ports);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'BUSY') return false;
    throw error;
  }
}

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { IdentityError } from './identity-error.ts';
import { type Place, readPerson, writePerson } from './places.ts';

/** Shorter ones are found by trying. */
export const SHORTEST_PASSPHRASE = 12;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const BYTES = 32;

/** Keeps what a person is known by to a server; of the passphrase itself nothing is kept. Throws BAD_TOKEN where it is short. */
export async function keepPassphrase(place: Place, person: string, passphrase: string): Promise<void> {
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new IdentityError('BAD_TOKEN', `a passphrase has at least ${SHORTEST_PASSPHRASE} characters`);
  const salt = randomBytes(16);
  const key = await derived(passphrase, salt);
  writePerson(place, person, `scrypt ${salt.toString('base64url')} ${key.toString('base64url')}\n`);
}

/** Whether a person keeps this passphrase. Takes as long for somebody who keeps none. */
export async function isPassphrase(place: Place, person: string, passphrase: string): Promise<boolean> {
  const kept = keptOf(place, person);
  const [scheme, salt = '', key = ''] = kept.split(/\s/);
  const found = await derived(passphrase, Buffer.from(salt, 'base64url'));
  const wanted = Buffer.from(key, 'base64url');
  return scheme === 'scrypt' && wanted.length === BYTES && timingSafeEqual(found, wanted);
}

function keptOf(place: Place, person: string): string {
  try {
    return readPerson(place, person);
  } catch (error) {
    // What cannot be a name is nobody's.
    if (['MISSING', 'BAD_NAME'].includes((error as { code?: string }).code ?? '')) return '';
    throw error;
  }
}

function derived(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, BYTES, COST, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

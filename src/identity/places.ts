import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { generateKeyPair, type Signer, signerFrom } from '../attestation/key.ts';
import { IdentityError } from './identity-error.ts';
import { isName } from './name.ts';
import { checkDirectory, privateDirectory, readPrivate, writePrivate } from './private-file.ts';
import { isToken } from './tokens.ts';

/** Where the tokens and private keys of one repository lie: outside of it, and for one user alone. */
export interface Place {
  readonly directory: string;
}

/** The folder for state that stays on this machine (XDG Base Directory: a path that is not absolute is ignored). */
export function stateHome(env: { readonly [name: string]: string | undefined }): string {
  const chosen = env.XDG_STATE_HOME ?? '';
  if (isAbsolute(chosen)) return chosen;
  const home = env.HOME ?? '';
  return join(isAbsolute(home) ? home : homedir(), '.local', 'state');
}

/** The place of a repository under a state home. Nothing is written yet. Throws BAD_NAME. */
export function placeOf(home: string, repositoryId: string): Place {
  return { directory: join(home, 'countersign', checked(repositoryId)) };
}

/** The token of an actor. Throws MISSING, BAD_TOKEN, and what readPrivate throws. */
export function readToken(place: Place, actor: string): string {
  const path = pathOf(place, 'tokens', checked(actor));
  const text = readIn(place, 'tokens', path, `${actor} has no token here. A person can issue one.`);
  const token = text.trimEnd();
  if (!isToken(token)) throw new IdentityError('BAD_TOKEN', `${path} holds no token. Have a new one issued.`);
  return token;
}

/** Keeps the token of an actor, in place of an older one. Throws BAD_TOKEN and what writePrivate throws. */
export function writeToken(place: Place, actor: string, token: string): void {
  if (!isToken(token)) throw new IdentityError('BAD_TOKEN', 'what should be kept is not a token');
  writeIn(place, 'tokens', pathOf(place, 'tokens', checked(actor)), {
    text: `${token}\n`,
    existing: 'replace',
  });
}

/** What is kept of a person's passphrase. Throws MISSING and what readPrivate throws. */
export function readPerson(place: Place, person: string): string {
  const path = pathOf(place, 'people', checked(person));
  return readIn(place, 'people', path, `${person} has no passphrase here.`);
}

/** Keeps it, in place of an older one. Throws what writePrivate throws. */
export function writePerson(place: Place, person: string, text: string): void {
  writeIn(place, 'people', pathOf(place, 'people', checked(person)), { text, existing: 'replace' });
}

/** The signer of a purpose. Throws MISSING, BAD_KEY, and what readPrivate throws. */
export function loadSigner(place: Place, purpose: string): Signer {
  const path = keyPath(place, purpose);
  const pem = readIn(place, 'keys', path, `there is no ${purpose} key here.`);
  try {
    return signerFrom(pem);
  } catch (cause) {
    throw new IdentityError('BAD_KEY', `${path} holds no ed25519 private key`, { cause });
  }
}

/** Makes the key of a purpose. Throws EXISTS when there is one: a key that signed something is never overwritten. */
export function createSigner(place: Place, purpose: string): Signer {
  const path = keyPath(place, purpose);
  const { privatePem } = generateKeyPair();
  writeIn(place, 'keys', path, { text: privatePem, existing: 'keep' });
  return signerFrom(privatePem);
}

/** A new key that lies beside the one in use, until it takes its place or is given up. */
export interface StagedSigner {
  readonly signer: Signer;
  /** Puts it in the place of the key in use, which is kept beside it as `.<start of its keyid>.old`. */
  use(): void;
  /** Removes it again. */
  drop(): void;
}

/**
 * Makes a key that could take the place of the one in use, and writes it, so that `use` has little left to fail on.
 * Throws what writePrivate and readPrivate throw; that there is no key in use is no error.
 */
export function stageSigner(place: Place, purpose: string): StagedSigner {
  const path = keyPath(place, purpose);
  const { privatePem } = generateKeyPair();
  const signer = signerFrom(privatePem);
  const staged = `${path}.${prefixOf(signer)}.new`;
  writeIn(place, 'keys', staged, { text: privatePem, existing: 'keep' });
  const drop = () => rmSync(staged, { force: true });
  const put = (file: string, text: string) => writeIn(place, 'keys', file, { text, existing: 'replace' });
  try {
    const old = inUse(path);
    const use = () => {
      if (old !== undefined) put(`${path}.${nameOfOld(old, signer)}.old`, old);
      put(path, privatePem);
      drop();
    };
    return { signer, use, drop };
  } catch (error) {
    drop();
    throw error;
  }
}

function inUse(path: string): string | undefined {
  try {
    return readPrivate(path);
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'MISSING') return undefined;
    throw error;
  }
}

const prefixOf = ({ keyid }: Signer) => keyid.slice(0, 16);

/** A file that holds no key has no id; the key that replaces it tells it from others. */
function nameOfOld(pem: string, next: Signer): string {
  try {
    return prefixOf(signerFrom(pem));
  } catch {
    return `before-${prefixOf(next)}`;
  }
}

type Folder = 'tokens' | 'keys' | 'people';

function readIn(place: Place, folder: Folder, path: string, missing: string): string {
  try {
    checkDirectory(place.directory);
    checkDirectory(join(place.directory, folder));
    return readPrivate(path);
  } catch (cause) {
    if (!(cause instanceof IdentityError) || cause.code !== 'MISSING') throw cause;
    throw new IdentityError('MISSING', `${missing} Expected at ${path}`, { cause });
  }
}

function writeIn(
  place: Place,
  folder: Folder,
  path: string,
  content: { readonly text: string; readonly existing: 'replace' | 'keep' },
): void {
  privateDirectory(place.directory);
  privateDirectory(join(place.directory, folder));
  writePrivate(path, content.text, content.existing, randomBytes(8).toString('hex'));
}

function keyPath(place: Place, purpose: string): string {
  return pathOf(place, 'keys', `${checked(purpose)}.pem`);
}

function pathOf(place: Place, folder: Folder, file: string): string {
  return join(place.directory, folder, file);
}

function checked(name: string): string {
  if (isName(name)) return name;
  throw new IdentityError('BAD_NAME', `${JSON.stringify(name)} cannot name a file: use a-z 0-9 . _ -`);
}

import { type TrustedKey, trustedKeyFrom } from '../attestation/key.ts';
import { repositoryKeys } from '../engine/audit/repository-keys.ts';
import type { CallerFiles, Composition } from '../engine/composition.ts';
import { EngineError } from '../engine/engine-error.ts';

/** The bytes of a file that somebody names. Throws NOT_FOUND. */
export function readNamed(files: Pick<CallerFiles, 'read'>, path: string): Buffer {
  try {
    return files.read(path);
  } catch (cause) {
    throw new EngineError('NOT_FOUND', `${path} cannot be read`, 'name a file that is there', { cause });
  }
}

/** Public keys from PEM files, all that are in them. Throws NOT_FOUND, BAD_KEY. */
export function keysFrom(files: Pick<CallerFiles, 'read'>, paths: readonly string[]): readonly TrustedKey[] {
  return paths.flatMap((path) => {
    const text = readNamed(files, path).toString('utf8');
    return (text.match(PEM) ?? [text]).map(trustedKeyFrom);
  });
}

const PEM = /-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g;

/** The keys of the repository around the caller; none where there is none, or where its store cannot be opened. */
export async function keysHere(composition: Composition): Promise<readonly TrustedKey[]> {
  try {
    const { ports } = await composition.open();
    try {
      return await repositoryKeys(ports);
    } finally {
      await ports.store.close();
    }
  } catch {
    // Without keys the answer can only be "cannot tell" or "broken", never "clean".
    return [];
  }
}

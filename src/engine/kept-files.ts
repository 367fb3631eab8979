import type { Json } from '../kernel/event.ts';
import { evidenceFile } from './claim.ts';
import { EngineError } from './engine-error.ts';
import type { Ports } from './ports.ts';

/** Keeps files by digest. Throws BAD_INPUT for one that cannot be read: it must not be missing without a word. */
export function keptFiles(ports: Ports, named: readonly string[]): Json {
  const files = named.map((one) => evidenceFile(ports, one));
  const missing = files.filter(({ sha256 }) => sha256 === '').map(({ path }) => path);
  if (missing.length > 0)
    throw new EngineError(
      'BAD_INPUT',
      `missing evidence files: ${missing.join(', ')}`,
      'name the right paths',
    );
  return files.map(({ path, type, sha256, bytes }) => ({ path, type, sha256, bytes }));
}

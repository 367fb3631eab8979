import { readFileSync } from 'node:fs';
import { EngineError } from '../../engine/engine-error.ts';
import type { Ports } from '../../engine/ports.ts';

/** The text of a file in the caller's working tree, of standard input for '-'. Throws BAD_INPUT where there is none. */
export function textFrom({ files }: Pick<Ports, 'files'>, path: string): string {
  if (path === '-') return readFileSync(0, 'utf8');
  const bytes = files.readWorking(path);
  if (bytes === undefined)
    throw new EngineError('BAD_INPUT', `there is no file ${path}`, 'name the right path');
  return bytes.toString('utf8');
}

import type { CallerFiles } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';

/** The text of a file of the caller, of standard input for '-'. Throws BAD_INPUT where there is none. */
export function textFrom(files: Pick<CallerFiles, 'read'>, path: string): string {
  try {
    return files.read(path).toString('utf8');
  } catch (cause) {
    throw new EngineError('BAD_INPUT', `there is no file ${path}`, 'name the right path', { cause });
  }
}

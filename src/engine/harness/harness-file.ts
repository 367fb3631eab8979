import { EngineError } from '../engine-error.ts';

/** A file of somebody else's in which Countersign has a part. Both functions are pure; undefined is no file. */
export interface HarnessFile {
  /** Below the top of the working tree. */
  readonly path: string;
  /** The text with our part in it, exactly once and current. Throws BAD_INPUT for a file that cannot be read. */
  readonly withOurs: (text: string | undefined) => string;
  /** The text without our part; undefined where nothing of others would be left. */
  readonly without: (text: string | undefined) => string | undefined;
}

/** A JSON object as people keep it: what is changed in it keeps their indentation and their last line; else it stays as it is. */
export function editJson(
  path: string,
  text: string | undefined,
  edit: (root: { [name: string]: unknown }) => void,
): string {
  const root = parsed(path, text);
  const was = JSON.stringify(root);
  edit(root);
  if (text !== undefined && JSON.stringify(root) === was) return text;
  const indent = /^([ \t]+)"/m.exec(text ?? '')?.[1] ?? '  ';
  return `${JSON.stringify(root, null, indent)}${text === undefined || text.endsWith('\n') ? '\n' : ''}`;
}

export function parsed(path: string, text: string | undefined): { [name: string]: unknown } {
  if (text === undefined || text.trim() === '') return {};
  try {
    const root: unknown = JSON.parse(text);
    if (typeof root === 'object' && root !== null && !Array.isArray(root))
      return root as { [name: string]: unknown };
  } catch {
    // Told below.
  }
  throw new EngineError('BAD_INPUT', `${path} is no JSON object`, `mend ${path}; nothing was written`);
}

/** A member that has to be an object; one of another kind is not overwritten. */
export function objectIn(
  path: string,
  root: { [name: string]: unknown },
  name: string,
): { [name: string]: unknown } {
  const value = root[name];
  if (value === undefined) {
    const made = {};
    root[name] = made;
    return made;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as { [name: string]: unknown };
  throw new EngineError('BAD_INPUT', `${name} in ${path} is no object`, `mend ${path}; nothing was written`);
}

export const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

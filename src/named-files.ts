import { readFileSync, statSync } from 'node:fs';
import { EngineError } from './engine/engine-error.ts';
import { evidenceName } from './engine/evidence-name.ts';

const LARGEST = 4 * 1024 * 1024;

/** Files by the path that names them, in base64. */
export interface Brought {
  readonly [path: string]: string;
}

/** The files that a line names, and standard input where it names it by a dash. Throws BAD_INPUT for what is too large. */
export function filesOfLine(words: readonly string[]): Brought {
  const named = words.map((word) => (/^--[a-z-]+=/.test(word) ? word.slice(word.indexOf('=') + 1) : word));
  const input = named.includes('-') ? { '-': readFileSync(0).toString('base64') } : {};
  return { ...filesNamed(named), ...input };
}

/** Those of the names that are files here, as PATH or TYPE=PATH. Throws BAD_INPUT for what is too large. */
export function filesNamed(names: readonly string[]): Brought {
  const paths = new Set(names.flatMap((name) => [name, evidenceName(name).path]));
  const files = [...paths].filter((path) => path !== '-' && isFile(path));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path).toString('base64')]));
}

function isFile(path: string): boolean {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size <= LARGEST) return stats.isFile();
  } catch {
    return false;
  }
  throw new EngineError('BAD_INPUT', `${path} is larger than ${LARGEST} bytes`, 'bring less at once');
}

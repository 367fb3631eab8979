import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The absolute path of a program as a shell would find it with this search path; undefined when there is none. */
export function locateProgram(name: string, searchPath: string, cwd: string): string | undefined {
  if (name.includes('/')) return isProgram(resolve(cwd, name)) ? resolve(cwd, name) : undefined;
  return searchPath
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

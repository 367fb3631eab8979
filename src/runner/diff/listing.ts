import { languageOf } from './language.ts';

/** The files of base, so that a name in a text can be looked up. */
export interface Listing {
  readonly paths: ReadonlySet<string>;
  /** The files below each folder, at any depth. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** Files of data by the last part of their path. */
  readonly data: ReadonlyMap<string, readonly string[]>;
}

export function listingOf(paths: readonly string[]): Listing {
  const [folders, data] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const add = (map: Map<string, string[]>, key: string, path: string) => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [path]);
    else known.push(path);
  };
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      add(folders, path.slice(0, at), path);
    if (isData(path)) add(data, nameOf(path), path);
  }
  return { paths: new Set(paths), folders, data };
}

const SETTINGS = /\.(?:ya?ml|toml)$/i;

/** Whether a path is that of a program, by its ending. */
export const isProgram = (path: string): boolean => languageOf(path) !== 'plain' && !SETTINGS.test(path);

/** Whether a path holds what programs read. */
export const isData = (path: string): boolean => !isProgram(path) && /[^/]\.[^/.]+$/.test(path);

const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.tsx', '.jsx', '.json', '.py'];

/** The file that a path without dots in it means: with an ending that is left out, or the index of a folder. */
export function fileAt(path: string, { paths }: Listing): string | undefined {
  if (path === '' || path.startsWith('..')) return undefined;
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const tried = [
    ...endings.map((ending) => path + ending),
    typed,
    ...endings.slice(1).flatMap((ending) => [`${path}/index${ending}`]),
    `${path}/__init__.py`,
  ];
  return tried.find((one) => paths.has(one));
}

/** A path from a folder ('' for the top), without its dots; '..' where it leads out. */
export function joined(folder: string, path: string): string {
  const parts: string[] = path.startsWith('/') || folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return '..';
  }
  return parts.join('/');
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

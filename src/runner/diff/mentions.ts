import { matchesGlob } from '../glob.ts';
import { languageOf } from './language.ts';
import { fileAt, folderOf, isProgram, joined, type Listing, nameOf } from './listing.ts';

const quoted = /(["'`])((?:\\[\s\S]|(?!\1)[^\\\n])*)\1/g;
const longest = 300;

/**
 * The files of base that a text names: what it imports, paths in its strings from its own folder, from one above it or
 * from the top, files of data by their name alone, and folders that hold data only. More rather than less.
 */
export function mentionedIn(path: string, text: string, listing: Listing): ReadonlySet<string> {
  const found = new Set<string>();
  const folder = folderOf(path);
  for (const [, , said = ''] of text.matchAll(quoted)) addSaid(said, folder, listing, found);
  addOfLanguage(path, text, listing, found);
  found.delete(path);
  return found;
}

/** What a language names without quotes, or by a name that is no path. */
function addOfLanguage(path: string, text: string, listing: Listing, found: Set<string>): void {
  const folder = folderOf(path);
  switch (languageOf(path)) {
    case 'python':
      for (const module of pythonModules(text)) addModule(module, folder, listing, found);
      break;
    case 'go':
      for (const [, said = ''] of text.matchAll(/"([\w.~-]+(?:\/[\w.~-]+)+)"/g))
        addPackage(said, listing, found);
      for (const word of embeddedIn(text)) addEmbedded(word, folder, listing, found);
      break;
    case 'rust':
      for (const place of rustModules(path, text)) if (listing.paths.has(place)) found.add(place);
      break;
    case 'shell':
      for (const word of text.split(/[\s;|&()<>"'=]+/)) addSaid(word, folder, listing, found);
      break;
    default:
  }
}

const rustModules = (path: string, text: string): readonly string[] =>
  [...text.matchAll(/^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm)].flatMap(([, name = '']) =>
    [`${name}.rs`, `${name}/mod.rs`, `${nameOf(path).replace(/\.rs$/, '')}/${name}.rs`].map((place) =>
      joined(folderOf(path), place),
    ),
  );

/** One string: a file, a folder, or the name of a file of data. A template counts up to where it is filled in. */
function addSaid(said: string, folder: string, listing: Listing, found: Set<string>): void {
  const filled = said.indexOf('\x24{');
  const text = (filled < 0 ? said : said.slice(0, said.lastIndexOf('/', filled) + 1)).replace(
    /^(?:file:\/\/|<rootDir>\/)/,
    '',
  );
  if (text === '' || text.length > longest || /[\s*?<>|\\]/.test(text)) return;
  const places = placesOf(text.replace(/^[@~#]\//, 'src/'), folder);
  // A single word is too often just a word.
  const at = (place: string) =>
    /\//.test(text) || text.startsWith('.')
      ? fileAt(place, listing)
      : listing.paths.has(place)
        ? place
        : undefined;
  const file = places.map(at).find((one) => one !== undefined);
  if (file !== undefined) return void found.add(file);
  const inside = places.map((place) => listing.folders.get(place)).find((one) => one !== undefined);
  if (inside !== undefined) {
    if (!inside.some(isProgram)) for (const one of inside) found.add(one);
    return;
  }
  for (const one of listing.data.get(nameOf(text)) ?? []) found.add(one);
}

/** From its own folder when it says so; else from there, from those above, and from the top. */
function placesOf(text: string, folder: string): readonly string[] {
  const own = joined(folder, text);
  if (/^\.\.?(?:\/|$)/.test(text)) return [own, joined('', text.replace(/^(?:\.\.?\/)+/, ''))];
  const above: string[] = [];
  for (let place = folder; place !== ''; place = folderOf(place)) above.push(joined(place, text));
  return [...above, joined('', text)];
}

function pythonModules(text: string): readonly string[] {
  const from = [...text.matchAll(/^\s*from\s+([\w.]+)\s+import\s+\(?([\w\s,]*)/gm)].flatMap(
    ([, module = '', names = '']) => [
      module,
      ...names.split(',').map((name) => `${module.replace(/\.$/, '')}.${name.trim().split(/\s/)[0]}`),
    ],
  );
  const plain = [...text.matchAll(/^\s*import\s+([\w., ]+)/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(/\s/)[0] ?? ''),
  );
  return [...from, ...plain];
}

function addModule(module: string, folder: string, listing: Listing, found: Set<string>): void {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll('.', '/');
  const own = dots === 0 ? folder : joined(folder, '../'.repeat(dots - 1));
  const places =
    dots === 0 ? [path, joined(folder, path), `src/${path}`, `lib/${path}`] : [joined(own, path)];
  for (const place of places)
    for (const file of [`${place}.py`, `${place}/__init__.py`]) if (listing.paths.has(file)) found.add(file);
}

const embeddedIn = (text: string): readonly string[] =>
  [...text.matchAll(/^\/\/go:embed[ \t]+(.+)$/gm)].flatMap(([, words = '']) => words.trim().split(/\s+/));

/** What a program of Go takes up when it is built: a file, all of a folder, or a pattern of both. */
function addEmbedded(word: string, folder: string, { paths, folders }: Listing, found: Set<string>): void {
  const place = joined(folder, word.replace(/^["`]|["`]$/g, '').replace(/^all:/, ''));
  const fits = (path: string) => path === place || matchesGlob(path, place);
  for (const path of paths) if (fits(path)) found.add(path);
  for (const [inside, files] of folders) if (fits(inside)) for (const path of files) found.add(path);
}

/** A package of the repository: all files of the folder that the end of its name is. */
function addPackage(said: string, { folders }: Listing, found: Set<string>): void {
  for (let place = said; place.includes('/'); ) {
    place = place.slice(place.indexOf('/') + 1);
    const inside =
      folders.get(place)?.filter((path) => folderOf(path) === place && path.endsWith('.go')) ?? [];
    for (const path of inside) found.add(path);
    if (inside.length > 0) return;
  }
}

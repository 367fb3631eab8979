import { isManifest, mappingOf } from '../diff/entries.ts';
import { languageOf } from '../diff/language.ts';
import { fileAt, folderOf, joined, type Listing } from '../diff/listing.ts';
import { readSource } from '../diff/source.ts';
import { matchesGlob } from '../glob.ts';
import { asMapping } from '../parsers/json.ts';

const QUOTED = /(["'`])((?:\\[\s\S]|(?!\1)[^\\\n]){1,300})\1/g;

/** What stands between the parts of one path: arguments of `path.join`, and `/` of Python's paths. */
const BETWEEN = /^\s*[,/]\s*$/;

/** What takes a path: here a single word is one as well. */
const TAKES_PATH =
  /(?:\b(?:join|joinpath|resolve|Path|path|readdir\w*|opendir\w*|scandir|listdir|walk|glob\w*|readFile\w*|open|exists\w*|access\w*|l?stat\w*|cwd)\s*[(:=][^'"`]*|\/\s*)$/;

/** How many parts a path is put together of, and how many texts of a file are looked at. */
const MOST_PARTS = 8;
const MOST_TEXTS = 2000;

/**
 * The files that a program names by paths, also by those that are put together of parts or hold something that is filled
 * in, and all files of the folders that it names. Those that are named themselves come first.
 */
export function placesIn(path: string, text: string, listing: Listing): readonly string[] {
  const groups = groupsIn(readSource(text, languageOf(path)).code);
  const above: string[] = [''];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) above.unshift(folder);
  const first = found(groups, { own: folderOf(path), roots: [...new Set(above)], listing });
  // What is named from a folder that bears a name of its own by now, as in `join(dir, 'a.json')`.
  const roots = [...first.folders];
  const inside = roots.length === 0 ? first : found(groups, { own: '', roots, listing });
  const below = [...first.folders].flatMap((folder) => listing.folders.get(folder) ?? []);
  return [...new Set([...first.files, ...inside.files, ...below])].filter((place) => place !== path);
}

/** Texts that stand one behind the other, as parts of a path do. */
interface Group {
  readonly parts: readonly string[];
  readonly isPath: boolean;
}

function groupsIn(code: string): readonly Group[] {
  const groups: { parts: string[]; isPath: boolean }[] = [];
  let end = -1;
  for (const { index, 0: whole, 2: inner = '' } of [...code.matchAll(QUOTED)].slice(0, MOST_TEXTS)) {
    const last = groups.at(-1);
    if (last !== undefined && BETWEEN.test(code.slice(end, index))) last.parts.push(inner);
    else {
      const line = code.slice(Math.max(end, index - 120, 0), index);
      groups.push({ parts: [inner], isPath: TAKES_PATH.test(line.slice(line.lastIndexOf('\n') + 1)) });
    }
    end = index + whole.length;
  }
  return groups;
}

interface Where {
  readonly own: string;
  /** Folders that a path may begin at, the nearest first. */
  readonly roots: readonly string[];
  readonly listing: Listing;
}

function found(groups: readonly Group[], where: Where) {
  const [files, folders] = [new Set<string>(), new Set<string>()];
  const take = (said: string, isPath: boolean) => {
    const { at, folder } = meant(said, isPath, where);
    for (const one of at) files.add(one);
    if (folder !== undefined) folders.add(folder);
    return at.length > 0 || folder !== undefined;
  };
  for (const { parts, isPath } of groups)
    for (let from = 0; from < parts.length; from++) {
      const most = Math.min(MOST_PARTS, parts.length - from);
      const lengths = Array.from({ length: most }, (_, n) => most - n);
      // The longest path that is one; what follows it begins another.
      const length = lengths.find((n) =>
        n > 1
          ? take(parts.slice(from, from + n).join('/'), true)
          : (parts[from] ?? '').split(/[\s;|&()<>='"]+/).filter((word) => take(word, isPath)).length > 0,
      );
      from += (length ?? 1) - 1;
    }
  return { files, folders };
}

interface Meant {
  readonly at: readonly string[];
  readonly folder?: string | undefined;
}

const NOWHERE: Meant = { at: [] };

/** What a path may mean from each of the folders; where something is filled in, all that it may be. */
function meant(said: string, isPath: boolean, { own, roots, listing }: Where): Meant {
  const path = said.replace(/^file:\/\//, '').replace(/\$?\{[^{}]*\}|%s/g, '*');
  const bare = path.replace(/^(?:\.{0,2}\/|\*+\/)+/, '').replace(/\/+$/, '');
  if (!/\w/.test(bare) || /[\\:]/.test(bare) || bare.length > 300) return NOWHERE;
  // A single word is too often just a word.
  const isPlace = isPath || path.includes('/');
  if (!(isPlace || bare.includes('.'))) return NOWHERE;
  for (const place of new Set([joined(own, path), ...roots.map((root) => joined(root, bare))])) {
    const one = meantAt(place, isPlace, listing);
    if (one !== undefined) return one;
  }
  return NOWHERE;
}

function meantAt(place: string, isPlace: boolean, listing: Listing): Meant | undefined {
  if (/[*?]/.test(place)) {
    const at = fitting(place, listing);
    return at.length > 0 ? { at } : undefined;
  }
  const file = isPlace ? fileAt(place, listing) : place;
  if (file !== undefined && listing.paths.has(file)) return { at: [file] };
  return isPlace && listing.folders.has(place) ? { at: [], folder: place } : undefined;
}

/** The same is named again and again. */
const fitted = new WeakMap<Listing, Map<string, readonly string[]>>();

function fitting(pattern: string, listing: Listing): readonly string[] {
  const all = fitted.get(listing) ?? new Map<string, readonly string[]>();
  fitted.set(listing, all);
  const found = all.get(pattern) ?? newlyFitting(pattern, listing);
  all.set(pattern, found);
  return found;
}

function newlyFitting(pattern: string, { paths, folders }: Listing): readonly string[] {
  const known = pattern.slice(0, pattern.search(/[*?]/));
  const folder = known.slice(0, Math.max(0, known.lastIndexOf('/')));
  const inside = folder === '' ? [...paths] : (folders.get(folder) ?? []);
  const last = pattern.slice(Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?')) + 1);
  const depth = pattern.includes('**') ? undefined : depthOf(pattern);
  // What can be told without looking at each of its characters comes first.
  const fits = (path: string) =>
    path.startsWith(known) &&
    (depth === undefined || depthOf(path) === depth) &&
    endings.some((ending) => path.endsWith(last + ending) && matchesGlob(path, pattern + ending));
  return inside.filter(fits);
}

const depthOf = (path: string): number => path.split('/').length;

/** What may be left out where a module is loaded. */
const endings = ['', '.js', '.ts', '.mjs', '.cjs', '.json'];

/** A command that tests run by its name, with the file that says what it is. */
export interface NamedCommand {
  readonly from: string;
  readonly text: string;
}

const RUNS = /\b(?:npm|pnpm|yarn|bun)\b((?:[ \t]+[-\w:.@/=]+){1,8})/g;
const MAKES = /\b(?:g?make|just)\b((?:[ \t]+[-\w:.@/=]+){1,8})/g;
const isRecipes = (path: string) => /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile)$/.test(path);

/** Where commands of manifests and Makefiles are written, by their texts. */
export const holdsCommands = (path: string): boolean => isManifest(path) || isRecipes(path);

/** The scripts of manifests and the targets of Makefiles that a program runs. */
export function commandsIn(
  path: string,
  text: string,
  holders: ReadonlyMap<string, string>,
): readonly NamedCommand[] {
  const said = readSource(text, languageOf(path)).code.replace(/['"`,[\]]/g, ' ');
  const words = (pattern: RegExp) =>
    new Set([...said.matchAll(pattern)].flatMap(([, names = '']) => names.trim().split(/\s+/)));
  const [run, made] = [words(RUNS), words(MAKES)];
  return [...holders].flatMap(([from, content]) => {
    if (isRecipes(from)) {
      const targets = [...content.matchAll(/^([\w.-]+)(?:\s[^:=\n]*)?:(?!=)/gm)].map(([, name = '']) => name);
      return targets.some((name) => made.has(name)) ? [{ from, text: content }] : [];
    }
    const scripts = Object.entries(asMapping(mappingOf(content).scripts) ?? {});
    return scripts.flatMap(([name, script]) =>
      run.has(name) && typeof script === 'string' ? [{ from, text: script }] : [],
    );
  });
}

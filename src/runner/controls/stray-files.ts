import { literalPattern } from '../../kernel/literal-pattern.ts';
import type { Change, ChangedFile } from '../change.ts';
import { isDocument } from '../diff/documents.ts';
import { entriesOf, isManifest } from '../diff/entries.ts';
import { languageOf } from '../diff/language.ts';
import { folderOf, isProgram, type Listing, listingOf, nameOf } from '../diff/listing.ts';
import { mentionedIn } from '../diff/mentions.ts';
import { isProtectedPath } from '../diff/protected.ts';
import { readSource } from '../diff/source.ts';
import { isTestFile } from '../test-files.ts';

/** How many files are read at once; their texts are not kept. */
const PORTION = 500;

/**
 * Changed files outside of the tests that are no programs and that none of the product names: not by their path or name,
 * not by their folder, and not because base has others like them in the same place. Whatever reads them belongs to the
 * tests, and so do they. Programs are believed when they name one, wherever that stands but in a comment; one that is
 * gone may be named by what the program was.
 */
export async function strayData(change: Change, patterns: readonly string[]): Promise<ReadonlySet<string>> {
  const open = new Set(
    change.files
      .filter(({ path }) => !isProgram(path) && isOfProduct(path, patterns))
      .map(({ path }) => path),
  );
  if (open.size === 0) return open;
  const known = await change.base.paths();
  const listing = listingOf([...known, ...addedIn(change)]);
  const entries = await entriesOf(change.base, listing);
  for (const path of open) if (entries.has(path) || hasSiblings(path, known, patterns)) open.delete(path);
  const programs = [...listing.paths].filter((path) => mayLoad(path, patterns));
  for (let at = 0; at < programs.length && open.size > 0; at += PORTION) {
    const portion = programs.slice(at, at + PORTION);
    const old = await change.base.read(portion);
    for (const path of portion) {
      const texts = [await changedText(change, path), old.get(path)].map(
        (text) => text?.toString('utf8') ?? '',
      );
      for (const text of new Set(texts)) takeNamed(path, withoutComments(path, text), listing, open);
    }
  }
  return open;
}

const mayLoad = (path: string, patterns: readonly string[]) =>
  isProgram(path) &&
  !isTestFile(path, patterns) &&
  !/(?:^|\/)(?:node_modules|vendor|third_party)\//.test(path);

const isOfProduct = (path: string, patterns: readonly string[]) =>
  !isTestFile(path, patterns) && !isProtectedPath(path) && !isManifest(path);

const addedIn = ({ files }: Change): readonly string[] =>
  files.flatMap(({ path, status }) => (status === 'added' ? [path] : []));

function listingOfHead(change: Change, known: readonly string[]): Listing {
  const gone = new Set(change.files.flatMap(({ path, status }) => (status === 'deleted' ? [path] : [])));
  return listingOf([...known.filter((path) => !gone.has(path)), ...addedIn(change)]);
}

const changedText = async (change: Change, path: string) =>
  change.files.some((file) => file.path === path) ? change.after(path) : undefined;

/**
 * A place where base keeps such files already is one that something knows. The top of the repository is none, and neither
 * is one where texts for people lie.
 */
function hasSiblings(path: string, known: readonly string[], patterns: readonly string[]): boolean {
  const folder = folderOf(path);
  const ending = endingOf(path);
  return (
    folder !== '' &&
    !isDocument(path) &&
    known.some(
      (other) =>
        other !== path &&
        folderOf(other) === folder &&
        endingOf(other) === ending &&
        isOfProduct(other, patterns),
    )
  );
}

const endingOf = (path: string) => /\.[^.]+$/.exec(nameOf(path))?.[0] ?? '';

/** In Go a comment names the files that a program takes up. */
function withoutComments(path: string, text: string): string {
  const language = languageOf(path);
  return language === 'js' || language === 'python' ? readSource(text, language).code : text;
}

function takeNamed(path: string, text: string, listing: Listing, open: Set<string>): void {
  const named = mentionedIn(path, text, listing);
  for (const one of open) {
    const folder = nameOf(folderOf(one));
    const isNamed = folder !== '' && new RegExp(`["'\`/]${literalPattern(folder)}/?["'\`]`).test(text);
    if (named.has(one) || isNamed) open.delete(one);
  }
}

/** New programs of scripts and Python that no changed program of the product names, and no manifest hands out. */
export async function looseModules(
  change: Change,
  added: readonly ChangedFile[],
  isTest: (file: ChangedFile) => boolean,
): Promise<readonly string[]> {
  const open = new Set(
    added.map(({ path }) => path).filter((path) => ['js', 'python'].includes(languageOf(path))),
  );
  if (open.size === 0) return [];
  const listing = listingOfHead(change, await change.base.paths());
  const entries = await entriesOf(change.base, listing);
  for (const file of change.files) {
    if (file.status === 'deleted' || isTest(file) || !(isProgram(file.path) || isManifest(file.path)))
      continue;
    const text = (await change.after(file.path))?.toString('utf8') ?? '';
    for (const named of mentionedIn(file.path, withoutComments(file.path, text), listing)) open.delete(named);
  }
  return [...open].filter((path) => !entries.has(path));
}

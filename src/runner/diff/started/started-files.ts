import type { BaseFiles } from '../../change.ts';
import { matchesGlob } from '../../glob.ts';
import { asMapping } from '../../parsers/json.ts';
import { isTestFile } from '../../test-files.ts';
import { type Entries, entriesOf, isManifest, mappingOf } from '../entries.ts';
import { folderOf, isProgram, joined, type Listing, listingOf, nameOf } from '../listing.ts';
import { mentionedIn } from '../mentions.ts';
import { configured, isRunnerConfig } from './configured.ts';
import { goesAlong } from './goes-along.ts';
import { type NamedFiles, namedIn } from './named-files.ts';
import { recipes } from './recipes.ts';
import { scriptLines, scriptsOf } from './scripts.ts';
import { commandsIn, programIn, withoutStarters } from './words.ts';

/** A command of the criteria. */
export interface RunCommand {
  readonly argv: readonly string[];
  /** Relative to the checkout; '' is its top. */
  readonly directory: string;
  /** Base's tests are held against the work: what this command names as tests is looked after there. */
  readonly watched: boolean;
}

/** A file of base that takes part in how work is judged, because of what is started. */
export interface Started {
  /** Why, for people. */
  readonly because: string;
  /** A test: whoever adds to it takes nothing away. */
  readonly mayGrow: boolean;
}

/** What the commands of the criteria start on base. */
export interface StartedFiles {
  readonly files: ReadonlyMap<string, Started>;
  /** Files that a test runner was given by name, watched or not. */
  readonly tests: ReadonlySet<string>;
  /** Whether a file lies where a test runner was told to look. */
  isPlace(path: string): boolean;
}

/**
 * Follows the commands through base's scripts, Makefiles and runners' settings to the files of base that they run, load
 * first, or hand to a test runner, and to what those load that is no part of the product. Programs that only other
 * scripts start do not count, and neither do the entries of a package.
 */
export async function startedFiles(
  base: BaseFiles,
  commands: readonly RunCommand[],
  testPatterns: readonly string[],
): Promise<StartedFiles> {
  if (commands.length === 0) return { files: new Map(), tests: new Set(), isPlace: () => false };
  const listing = listingOf(await base.paths());
  const trail = new Trail(base, listing, await entriesOf(base, listing), testPatterns);
  await trail.settings(commands.some(({ watched }) => watched));
  for (const { argv, directory, watched } of commands)
    await trail.command(argv, { folder: joined('', directory), watched, because: 'a check starts it' });
  return {
    files: trail.files,
    tests: trail.tests,
    isPlace: (path) => [...trail.places].some((place) => isWithin(path, place)),
  };
}

const isWithin = (path: string, place: string) =>
  place === '' || path.startsWith(`${place}/`) || matchesGlob(path, place);

interface Via {
  readonly folder: string;
  readonly watched: boolean;
  readonly because: string;
}

class Trail {
  readonly files = new Map<string, Started>();
  readonly tests = new Set<string>();
  readonly places = new Set<string>();
  private readonly done = new Set<string>();
  private readonly base: BaseFiles;
  private readonly listing: Listing;
  private readonly entries: Entries;
  private readonly testPatterns: readonly string[];

  constructor(base: BaseFiles, listing: Listing, entries: Entries, testPatterns: readonly string[]) {
    this.base = base;
    this.listing = listing;
    this.entries = entries;
    this.testPatterns = testPatterns;
  }

  async command(argv: readonly string[], via: Via): Promise<void> {
    const words = withoutStarters(argv);
    const key = JSON.stringify([words, via.folder, via.watched]);
    if (words.length === 0 || this.done.has(key)) return;
    this.done.add(key);
    const named = namedIn(words, via.folder, this.listing);
    await this.found(named, via);
    await this.scripts(words, via);
    if (/^g?make$|^just$/.test(programIn(words[0] ?? ''))) await this.makefile(words.slice(1), via);
    // Programs that start several take each as one word.
    for (const word of words)
      if (/^\S+\s+\S/.test(word) && named.lines.length === 0) await this.line(word, via);
  }

  /** Commands behind each other; where one changes the folder the next run there. */
  private async line(text: string, via: Via): Promise<void> {
    let { folder } = via;
    for (const words of commandsIn(text)) {
      if (words[0] === 'cd') folder = joined(folder, words[1] ?? '');
      else await this.command(words, { ...via, folder });
    }
  }

  private async found({ started, tests, places, lines, scripts }: NamedFiles, via: Via): Promise<void> {
    for (const path of started) await this.start(path, via);
    for (const path of tests) {
      this.tests.add(path);
      if (!via.watched) this.keep(path, { because: via.because, mayGrow: true });
    }
    for (const place of places) this.places.add(place);
    for (const text of lines) await this.line(text, via);
    for (const text of scripts)
      for (const path of mentionedIn(joined(via.folder, '-e'), text, this.listing))
        await this.start(path, via);
  }

  private async scripts(words: readonly string[], via: Via): Promise<void> {
    const { names, everywhere } = scriptsOf(words);
    if (names.length === 0) return;
    const manifests = everywhere
      ? [...this.listing.paths].filter(isManifest)
      : this.nearestManifest(via.folder);
    for (const [path, bytes] of await this.base.read(manifests)) {
      const scripts = asMapping(mappingOf(bytes.toString('utf8')).scripts) ?? {};
      for (const { name, line } of scriptLines(scripts, names))
        await this.line(line, {
          ...via,
          folder: folderOf(path),
          because: `a check starts it by the script ${name}`,
        });
    }
  }

  private nearestManifest(folder: string): readonly string[] {
    for (let place = folder; ; place = folderOf(place)) {
      const path = joined(place, 'package.json');
      if (this.listing.paths.has(path)) return [path];
      if (place === '') return [];
    }
  }

  private async makefile(words: readonly string[], via: Via): Promise<void> {
    const at = words.indexOf('-C');
    const folder = at < 0 ? via.folder : joined(via.folder, words[at + 1] ?? '');
    const names = ['GNUmakefile', 'makefile', 'Makefile', 'justfile', 'Justfile'].map((name) =>
      joined(folder, name),
    );
    for (const bytes of (await this.base.read(names)).values())
      for (const line of recipes(bytes.toString('utf8'), words))
        await this.line(line, { ...via, folder, because: 'a check starts it by a Makefile' });
  }

  /** What runners' settings load takes part in every run of theirs. */
  async settings(watched: boolean): Promise<void> {
    const configs = [...this.listing.paths].filter(
      (path) => isRunnerConfig(path) && !isTestFile(path, this.testPatterns),
    );
    for (const [path, bytes] of await this.base.read(configs))
      for (const file of configured(path, bytes.toString('utf8'), this.listing))
        await this.start(file, { folder: '', watched, because: `${nameOf(path)} loads it` });
  }

  /** A program that runs, and what it loads that lies beside it. */
  private async start(path: string, via: Via): Promise<void> {
    if (this.entries.has(path) || this.files.has(path) || isManifest(path)) return;
    const isTest = isTestFile(path, this.testPatterns);
    if (isTest) this.tests.add(path);
    if (isTest && via.watched) return;
    this.keep(path, { because: via.because, mayGrow: isTest });
    if (isProgram(path)) await this.inside(path, via);
  }

  private async inside(path: string, via: Via): Promise<void> {
    const text = (await this.base.read([path])).get(path)?.toString('utf8') ?? '';
    if (/\.(?:ba|z|da|k)?sh$/.test(path) || /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text))
      await this.line(text, via);
    const more = { ...via, because: `${via.because}, through ${nameOf(path)}` };
    for (const other of mentionedIn(path, text, this.listing))
      if (!isTestFile(other, this.testPatterns) && goesAlong(path, other))
        await this.start(other, via.because.includes(', through') ? via : more);
  }

  private keep(path: string, started: Started): void {
    if (!this.files.has(path) && !this.entries.has(path)) this.files.set(path, started);
  }
}

import { isRegistryUrl, knownOrigins } from './registry.ts';

/** One word or quoted text of a lockfile, with the packages whose block it stands in; yarn's form alone has blocks. */
interface Said {
  readonly text: string;
  readonly names: readonly string[];
}

/** What base's lockfile says, and from which registries it fetches. */
interface Known {
  readonly texts: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/**
 * New texts of pnpm-lock.yaml, yarn.lock and bun.lock that name a source other than a registry: folders and archives
 * of the commit, repositories, addresses, and other packages under a name that base fetched. Packages of the
 * repository stay free as long as base fetched none of their names.
 */
export function foreignTexts(before: string, after: string): readonly string[] {
  const [old, now] = [saidIn(before), saidIn(after)];
  const known: Known = {
    texts: new Set(old.map(({ text }) => text)),
    packages: new Set(old.flatMap(({ text }) => fetchedName(text) ?? [])),
    origins: knownOrigins(old.flatMap(({ text }) => addressIn(text) ?? [])),
  };
  const found = now.flatMap(({ text, names }, at): readonly string[] => {
    if (known.texts.has(text)) return [];
    if (/[^\t\x20-\x7e]|\\/.test(text)) return [`a text that hides what it says: ${JSON.stringify(text)}`];
    const above = (lines: number) => now[at - lines]?.text ?? '';
    return isForeign({ text, names }, above, known) ? [text.slice(0, 120)] : [];
  });
  return [...new Set(found)];
}

const LOCAL = /(?:^|@|=|\()(?:file|portal|exec|patch):/;
const REPOSITORY = /(?:^|@)(?:git|git\+\w+|ssh|github|gitlab|bitbucket|gist):|(?:^|@)git@|\.git(?:#|$)/;
/** Yarn's own patches, which come with it. */
const BUILT_IN = /^(?:[\w@/.-]+@)?patch:[^#]*#(?:optional!)?builtin</;

function isForeign({ text, names }: Said, above: (lines: number) => string, known: Known): boolean {
  if (/^(?:directory|git)$/.test(text) && above(1) === 'type') return true;
  if (above(1) === 'directory' || above(1) === 'repo') return true;
  if (LOCAL.test(text)) return !BUILT_IN.test(text);
  if (REPOSITORY.test(text)) return true;
  if (/(?:^|@)link:|@workspace:/.test(text)) return replaces(text, above, known);
  const address = addressIn(text);
  if (address === undefined) return /https?:/.test(text) || isOther(text, names, above, known);
  return !(names.length === 0 ? [address.name] : names).some((name) =>
    isRegistryUrl(address.url, name, known.origins),
  );
}

/** A folder of the repository under the name of a package that base fetched, or that the manifest does not link. */
function replaces(text: string, above: (lines: number) => string, { packages }: Known): boolean {
  const own = /^((?:@[^/@]+\/)?[^/@]+)@/.exec(text)?.[1];
  if (own !== undefined) return packages.has(own);
  // pnpm: name, specifier, what it says, version, and then the link.
  return !above(2).startsWith('workspace:') || packages.has(above(4));
}

/** The package of another name: under the block of this one, or as its version. */
function isOther(
  text: string,
  names: readonly string[],
  above: (lines: number) => string,
  { packages }: Known,
): boolean {
  const other = fetchedName(text);
  if (other === undefined) return false;
  if (names.length > 0) return above(1) === 'resolution' && !names.includes(other);
  const key = above(1) === 'version' && above(3) === 'specifier' ? above(4) : above(1);
  return key !== other && packages.has(key);
}

/** The package that a text such as `a@1.0.0`, `/@b/c@1.0.0(d@2.0.0)` or `a@npm:1.0.0` names. */
const fetchedName = (text: string) => /^\/?((?:@[^/@\s()]+\/)?[^/@\s()]+)@(?:npm:)?[~^]?\d/.exec(text)?.[1];

function addressIn(text: string): { readonly url: string; readonly name: string } | undefined {
  const url = /https?:\/\/[^\s"'#]+/.exec(text)?.[0];
  if (url === undefined) return undefined;
  const path = url
    .replace(/^https?:\/\/[^/]+/, '')
    .replaceAll(/%2f/gi, '/')
    .replaceAll('%40', '@');
  const name = /\/((?:@[^/]+\/)?[^/]+)\/(?:-\/|[^/]+\/[^/]+$)/.exec(path)?.[1];
  return { url, name: name ?? '' };
}

/** What stands in quotes is one text, and so is every word outside of them. Comments are left out. */
function saidIn(lockfile: string): readonly Said[] {
  let names: readonly string[] = [];
  return lockfile.split('\n').flatMap((line) => {
    if (/^\s*(?:#|\/\/)/.test(line)) return [];
    const texts = [...line.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|[^\s"',{}[\]]+/g)]
      .map(([whole, double, single]) => (double ?? single ?? whole).replace(/:$/, ''))
      .filter((text) => text !== '');
    if (/^[^\s}]/.test(line)) names = /:\s*$/.test(line) ? texts.flatMap(namesOf) : [];
    return texts.map((text) => ({ text, names }));
  });
}

/** Whose block it is: of `a@npm:b@^1` the package is b. */
const namesOf = (text: string): readonly string[] =>
  text.split(', ').flatMap((one) => {
    const [, name, alias] =
      /^((?:@[^/@]+\/)?[^/@]+)@(?:npm:((?:@[^/@]+\/)?[^/@\d^~*<>=][^/@]*)@)?/.exec(one) ?? [];
    return alias ?? name ?? [];
  });

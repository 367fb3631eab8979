// biome-ignore format: one line for each language
const usual = [
  'https://pypi.org/', 'https://files.pythonhosted.org/',
  'https://github.com/rust-lang/crates.io-index', 'https://index.crates.io/',
];
const SOURCE =
  /^\s*source\s*=\s*\{(?!\s*(?:registry\b|(?:virtual|editable)\s*=\s*"\."))|^\s*source\s*=\s*"(?!(?:registry|sparse)\+)|^\s*type\s*=\s*"(?:directory|file|git|url)"|"(?:path|file|git|editable)"\s*:|@\s*(?:file|git\+\w+):/;

/** New lines of the lockfiles of Python and Rust that name a source other than a registry that base knows. */
export function foreignLines(before: string, after: string): readonly string[] {
  const old = new Set(before.split('\n'));
  const origins = new Set([...old].flatMap((line) => addressesIn(line).map(originOf)));
  const isForeign = (line: string) =>
    SOURCE.test(line) ||
    addressesIn(line).some(
      (url) => !usual.some((start) => url.startsWith(start)) && !origins.has(originOf(url)),
    );
  return after
    .split('\n')
    .filter((line) => !old.has(line) && isForeign(line))
    .map((line) => line.trim().slice(0, 120));
}

const addressesIn = (line: string): readonly string[] =>
  [...line.matchAll(/[a-z+]+:\/\/[^\s"',]+/g)].map(([url]) => url.replace(/^(?:registry|sparse)\+/, ''));

const originOf = (url: string) => /^[a-z+]+:\/\/[^/]*/.exec(url)?.[0] ?? '';

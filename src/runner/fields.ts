import { didYouMean } from '../kernel/nearest.ts';

/** Reads one mapping of a document; every problem goes into the list it was made with, and a stand-in comes back. */
export interface Fields {
  readonly path: string;
  problem(key: string, message: string): void;
  has(key: string): boolean;
  raw(key: string): unknown;
  text(key: string, fallback?: string): string;
  choice<T extends string>(key: string, options: readonly T[], fallback?: T): T;
  flag(key: string, fallback: boolean): boolean;
  integer(key: string, fallback: number): number;
  texts(key: string, fallback?: readonly string[]): readonly string[];
  /** A text in a unit, such as a duration. */
  measure(
    key: string,
    fallback: number,
    parse: (text: string) => number | undefined,
    example: string,
  ): number;
  child(key: string): Fields | undefined;
  list<T>(key: string, each: (value: unknown, path: string) => T | undefined): readonly T[];
  /** Names every key that nobody asked for, with what was meant or what there is. */
  finish(): void;
}

/** Undefined, with a problem noted, when the value is no mapping. */
export function fieldsOf(value: unknown, path: string, problems: string[]): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${path || 'document'}: must be a mapping`);
    return undefined;
  }
  return reader(sourceOf(new Map<string, unknown>(Object.entries(value)), path, problems));
}

/** Texts of a key for which an empty list is an answer: none at all. */
export function textsOrNone(fields: Fields, key: string, fallback: readonly string[]): readonly string[] {
  const given = fields.raw(key);
  return Array.isArray(given) && given.length === 0 ? [] : fields.texts(key, fallback);
}

interface Source {
  readonly path: string;
  readonly problems: string[];
  readonly values: ReadonlyMap<string, unknown>;
  /** Every key that was asked for so far. */
  readonly known: Set<string>;
  at(key: string): string;
  problem(key: string, message: string): void;
  get(key: string): unknown;
}

function sourceOf(values: ReadonlyMap<string, unknown>, path: string, problems: string[]): Source {
  const known = new Set<string>();
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  return {
    path,
    problems,
    values,
    known,
    at,
    problem: (key, message) => void problems.push(`${at(key)}: ${message}`),
    get(key) {
      known.add(key);
      return values.get(key);
    },
  };
}

function reader(source: Source): Fields {
  return {
    path: source.path,
    problem: source.problem,
    has(key) {
      source.known.add(key);
      return source.values.has(key);
    },
    raw: source.get,
    text: (key, fallback) => one(source, key, fallback, '', isText, 'a text that is not empty'),
    choice<T extends string>(key: string, options: readonly T[], fallback?: T): T {
      const fits = (v: unknown): v is T => options.some((option) => option === v);
      const found = source.values.get(key);
      const meant = typeof found === 'string' ? didYouMean(found, options) : '';
      return one(
        source,
        key,
        fallback,
        options[0] ?? ('' as T),
        fits,
        `one of ${options.join(', ')}${meant}`,
      );
    },
    flag: (key, fallback) => one(source, key, fallback, fallback, isFlag, 'true or false'),
    integer: (key, fallback) => one(source, key, fallback, fallback, isCount, 'a whole number, 0 or more'),
    texts: (key, fallback) => one(source, key, fallback, [], isTexts, 'a list of texts that are not empty'),
    measure(key, fallback, parse, example) {
      const value = source.get(key);
      if (value === undefined) return fallback;
      const parsed = isText(value) ? parse(value) : undefined;
      if (parsed === undefined) source.problem(key, `must look like ${example}`);
      return parsed ?? fallback;
    },
    child(key) {
      const value = source.get(key);
      return value === undefined ? undefined : fieldsOf(value, source.at(key), source.problems);
    },
    list: (key, each) => items(source, key, each),
    finish() {
      const strange = [...source.values.keys()].filter((key) => !source.known.has(key));
      const free = [...source.known].filter((key) => !source.values.has(key));
      const known = source.known.size === 0 ? '' : `; known here: ${[...source.known].join(', ')}`;
      for (const key of strange) source.problem(key, `is not a known key${didYouMean(key, free) || known}`);
    },
  };
}

function one<T>(
  source: Source,
  key: string,
  fallback: T | undefined,
  stand: T,
  fits: (value: unknown) => value is T,
  what: string,
): T {
  const found = source.get(key);
  if (found === undefined && fallback !== undefined) return fallback;
  if (fits(found)) return found;
  source.problem(key, found === undefined ? `is missing; it must be ${what}` : `must be ${what}`);
  return stand;
}

function items<T>(
  source: Source,
  key: string,
  each: (value: unknown, path: string) => T | undefined,
): readonly T[] {
  const found = source.get(key);
  if (found === undefined) return [];
  if (!Array.isArray(found)) source.problem(key, 'must be a list');
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  return list
    .map((item, index) => each(item, `${source.at(key)}[${index}]`))
    .filter((item) => item !== undefined);
}

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0');
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isText);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

import { EngineError } from '../engine/engine-error.ts';
import { STAND } from './stand.ts';

/** A command line as a client sends it. */
export interface Asked {
  readonly words: readonly string[];
  /** The client's folder, '' where it has none of this repository. */
  readonly cwd: string;
  /** What the file system of the client says of that folder, so that another of the same path is told from it; '' where it was not told. */
  readonly folder: string;
  /** The commit that the client's HEAD stands for, '' where it was not told. */
  readonly head: string;
  /** The session that holds tasks in stages, '' for none. */
  readonly session: string;
  /** Whether somebody at the client can be asked. */
  readonly interactive: boolean;
  readonly color: boolean;
  /** The files that the words name, by the path in the words; '-' is standard input. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** What the client's process could reach of the store when it tried; it can only lower the level. */
  readonly reached: readonly string[] | undefined;
}

/** An event of a coding agent's session, as a client's hook sends it. */
export interface Moment {
  readonly payload: string;
  /** The client's folder, what its file system says of it, and those of its variables that hooks read. */
  readonly cwd: string;
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
}

const KNOWN = ['words', 'cwd', 'folder', 'head', 'session', 'interactive', 'color', 'files', 'reached'];

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

type Fields = { readonly [name: string]: unknown };

const HEAD = /^([0-9a-f]{40}([0-9a-f]{24})?)?$/;

/** Where a client of MCP works, as the headers of its message say; '' where they do not. Throws BAD_INPUT. */
export function standIn(headers: Headers): Pick<Asked, 'cwd' | 'folder' | 'head'> {
  const told = (name: keyof typeof STAND) => headers.get(STAND[name]) ?? '';
  const [cwd, folder, head] = [told('cwd'), told('folder'), told('head')];
  if (!HEAD.test(head)) throw bad(`${STAND.head} is the full id of a commit`);
  try {
    return { cwd: decodeURIComponent(cwd), folder, head };
  } catch {
    throw bad(`${STAND.cwd} is a path, in the encoding of URLs`);
  }
}

/** Throws BAD_INPUT, with what is wrong. */
export function askedOf(body: unknown): Asked {
  const fields = fieldsOf(body, KNOWN);
  const { words, files, reached } = fields;
  if (!isTexts(words)) throw bad('words is a list of texts, such as ["show", "T-1"]');
  const head = text(fields, 'head');
  if (!HEAD.test(head)) throw bad('head is the full id of a commit');
  if (reached !== undefined && !isTexts(reached)) throw bad('reached is a list of texts');
  return {
    words,
    reached,
    cwd: text(fields, 'cwd'),
    folder: text(fields, 'folder'),
    head,
    session: text(fields, 'session'),
    interactive: flag(fields, 'interactive'),
    color: flag(fields, 'color'),
    files: filesIn(files),
  };
}

/** Files as they are sent, base64 by path. Throws BAD_INPUT. */
export function filesIn(value: unknown = {}): ReadonlyMap<string, Buffer> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad('files is a table of base64');
  return new Map(Object.entries(value).map(([path, bytes]) => [path, base64(path, bytes)]));
}

/** Throws BAD_INPUT, with what is wrong. */
export function momentOf(body: unknown): Moment {
  const fields = fieldsOf(body, ['payload', 'cwd', 'folder', 'env']);
  const { env = {} } = fields;
  if (typeof env !== 'object' || env === null) throw bad('env is a table of texts');
  const named = Object.entries(env).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    payload: text(fields, 'payload'),
    cwd: text(fields, 'cwd'),
    folder: text(fields, 'folder'),
    env: Object.fromEntries(named),
  };
}

function fieldsOf(body: unknown, known: readonly string[]): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bad('it is no JSON object');
  const strange = Object.keys(body).find((name) => !known.includes(name));
  if (strange !== undefined)
    throw bad(`there is no field ${JSON.stringify(strange)}; known: ${known.join(', ')}`);
  return body as Fields;
}

function text(fields: Fields, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string') throw bad(`${name} is a text`);
  return value;
}

function flag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw bad(`${name} is true or false`);
  return value;
}

function base64(path: string, bytes: unknown): Buffer {
  if (typeof bytes !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(bytes))
    throw bad(`the file ${JSON.stringify(path)} is not in base64`);
  return Buffer.from(bytes, 'base64');
}

const bad = (what: string) =>
  new EngineError('BAD_INPUT', `the body of the request: ${what}`, 'see: GET /openapi.json');

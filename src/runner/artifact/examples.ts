import { type Fields, fieldsOf } from '../fields.ts';
import { type Tagged, tagAnswer, tagArgument } from './value.ts';

/** A call of something that a package exports, as a program that uses the package would make it. */
export interface Call {
  /** '' is the main entry, else a way below it such as `/sub`. */
  readonly entry: string;
  /** Names from the module down to the function; `default` is the module itself. */
  readonly path: readonly string[];
  /** undefined reads the value instead of calling it, where it is no function. */
  readonly args: readonly Tagged[] | undefined;
}

/** `throws` names a part of the message; '' takes any. */
export type Expected = { readonly returns: Tagged } | { readonly throws: string };

export interface ExpectedText {
  readonly how: 'equals' | 'contains' | 'matches';
  readonly text: string;
}

/** One thing that must hold for those who use the package. */
export type Example =
  | { readonly id: string; readonly kind: 'call'; readonly call: Call; readonly expected: Expected }
  | {
      readonly id: string;
      readonly kind: 'bin';
      readonly bin: string;
      readonly args: readonly string[];
      readonly stdin: string;
      readonly exit: number;
      readonly stdout: ExpectedText | undefined;
    };

export interface Unchanged {
  /** A name of its own, or `unchanged[n]`. */
  readonly id: string;
  readonly call: Call;
}

/** Examples of what must be true, and inputs whose answers must stay. */
export interface Acceptance {
  readonly examples: readonly Example[];
  readonly unchanged: readonly Unchanged[];
}

const most = 200;
const largest = 1024 * 1024;

/**
 * Reads acceptance examples, YAML or JSON, of schema countersign/acceptance/1; what is wrong is a list with places,
 * such as `examples[2].call.args: …`. Never throws.
 */
export async function parseAcceptance(
  bytes: Uint8Array,
): Promise<Acceptance | { readonly problems: readonly string[] }> {
  const problems: string[] = [];
  const document = await parseDocument(bytes, problems);
  const fields = problems.length === 0 ? fieldsOf(document, '', problems) : undefined;
  const acceptance = fields && read(fields, problems);
  return acceptance === undefined || problems.length > 0 ? { problems } : acceptance;
}

/** What is wrong with acceptance examples, with places; empty where they can be used. */
export async function acceptanceProblems(bytes: Uint8Array): Promise<readonly string[]> {
  const read = await parseAcceptance(bytes);
  return 'problems' in read ? read.problems : [];
}

async function parseDocument(bytes: Uint8Array, problems: string[]): Promise<unknown> {
  if (bytes.length > largest) {
    problems.push(`document: has ${bytes.length} bytes, at most ${largest} are allowed`);
    return undefined;
  }
  // Only a run that has examples pays for the parser.
  const { parseDocument: parse } = await import('yaml');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const document = parse(text, { uniqueKeys: true, strict: true });
    for (const { message } of [...document.errors, ...document.warnings])
      problems.push(`document: ${message.split('\n')[0]}`);
    return problems.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    problems.push(`document: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function read(fields: Fields, problems: string[]): Acceptance {
  fields.choice('schema', ['countersign/acceptance/1']);
  const each =
    <T>(one: (inner: Fields, path: string) => T | undefined) =>
    (value: unknown, path: string) => {
      const inner = fieldsOf(value, path, problems);
      const result = inner && one(inner, path);
      inner?.finish();
      return result;
    };
  const examples = fields.list('examples', each(readExample));
  const unchanged = fields.list('unchanged', each(readUnchanged));
  const count = examples.length + unchanged.length;
  if (count > most)
    fields.problem('examples', `are ${count} with the unchanged ones, at most ${most} are allowed`);
  if (count === 0 && problems.length === 0) fields.problem('examples', 'must hold at least one');
  nameTwice([...examples, ...unchanged], fields);
  fields.finish();
  return { examples, unchanged };
}

function nameTwice(all: readonly { readonly id: string }[], fields: Fields): void {
  const seen = new Set<string>();
  for (const { id } of all) {
    if (id !== '' && seen.has(id)) fields.problem('examples', `${id} is used twice`);
    seen.add(id);
  }
}

const readUnchanged = (fields: Fields, path: string): Unchanged | undefined => {
  const call = readCall(fields);
  return call && { id: fields.text('id', path), call };
};

function readExample(fields: Fields): Example | undefined {
  const id = fields.text('id');
  if (!/^[\w][\w. -]{0,99}$/.test(id))
    fields.problem('id', 'must be up to 100 letters, digits, dots and dashes');
  if (fields.has('bin')) return readBin(id, fields);
  const call = readCall(fields);
  const expected = readExpected(fields);
  return call && { id, kind: 'call', call, expected };
}

function readExpected(fields: Fields): Expected {
  if (fields.has('returns') === fields.has('throws'))
    fields.problem('returns', 'or throws must be there, and not both');
  const [thrown, returned] = [fields.raw('throws'), fields.raw('returns')];
  if (fields.has('throws') && thrown !== true && (typeof thrown !== 'string' || thrown === ''))
    fields.problem('throws', 'must be true or a part of the message');
  if (fields.has('throws')) return { throws: typeof thrown === 'string' ? thrown : '' };
  return {
    returns: tagAnswer(returned ?? null, (message) => fields.problem('returns', message)),
  };
}

function readCall(fields: Fields): Call | undefined {
  if (!fields.has('call')) {
    fields.problem('call', 'is missing');
    return undefined;
  }
  const call = fields.child('call');
  const from = call?.text('from', '.') ?? '.';
  if (!/^\.(\/[^/]+)*$/.test(from)) call?.problem('from', 'must look like ./sub');
  const given = call?.raw('args');
  if (given !== undefined && !Array.isArray(given)) call?.problem('args', 'must be a list');
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const result: Call | undefined = call && {
    entry: from.slice(1),
    path: call.text('export', 'default').split('.'),
    args:
      given === undefined
        ? undefined
        : list.map((value) => tagArgument(value, (m) => call.problem('args', m))),
  };
  call?.finish();
  return result;
}

function readBin(id: string, fields: Fields): Example {
  const given = fields.raw('args') ?? [];
  const args = Array.isArray(given) ? given.filter((word) => typeof word === 'string') : [];
  if (!Array.isArray(given) || args.length !== given.length)
    fields.problem('args', 'must be a list of texts');
  const stdin = fields.raw('stdin') ?? '';
  if (typeof stdin !== 'string') fields.problem('stdin', 'must be a text');
  if (!fields.has('exit') && !fields.has('stdout')) fields.problem('exit', 'or stdout must be there');
  return {
    id,
    kind: 'bin',
    bin: fields.text('bin'),
    args,
    stdin: String(stdin),
    exit: fields.integer('exit', 0),
    stdout: readStdout(fields.child('stdout')),
  };
}

function readStdout(fields: Fields | undefined): ExpectedText | undefined {
  if (fields === undefined) return undefined;
  const ways = (['equals', 'contains', 'matches'] as const).filter((way) => fields.has(way));
  const [how = 'equals'] = ways;
  if (ways.length !== 1) fields.problem('equals', 'or contains or matches must be there, one of them');
  // Nothing at all can be what must be printed.
  const raw = fields.raw(how);
  const text = how === 'equals' && raw === '' ? '' : fields.text(how, ways.length === 1 ? undefined : '');
  if (how === 'matches' && !compiles(text)) fields.problem('matches', 'is no regular expression');
  fields.finish();
  return { how, text };
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'mu') instanceof RegExp;
  } catch {
    return false;
  }
}

import { StoreError } from '../store.ts';

/** Where a store lies: a database, and the schema in it. */
export interface Location {
  /** What `pg` takes. May hold a password. */
  readonly connection: string;
  /** '' where the URL names none. */
  readonly schema: string;
}

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`; whatever else the URL says is for the driver.
 * Throws StoreError BAD_URL.
 */
export function locationOf(url: string): Location {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    const message =
      'the URL of the database must begin with postgres://, as in postgres://USER@HOST/DATABASE';
    throw new StoreError('BAD_URL', message);
  }
  const [connection, schema] = splitSchema(url);
  if (schema === '' || SCHEMA_NAME.test(schema)) return { connection, schema };
  const message = `?schema=${schema} is no name that this store takes: small letters, digits and _, at most 63`;
  throw new StoreError('BAD_URL', message);
}

/** The URL without its schema, and the schema, '' where it names none. */
export function splitSchema(text: string): readonly [url: string, schema: string] {
  const [base = '', ...rest] = text.split('?');
  const options = rest
    .join('?')
    .split('&')
    .filter((option) => option !== '');
  const schema = options.find((option) => option.startsWith('schema='))?.slice('schema='.length) ?? '';
  const others = options.filter((option) => !option.startsWith('schema='));
  return [others.length > 0 ? `${base}?${others.join('&')}` : base, schema];
}

/** The URL with a schema in it; as it is for ''. */
export const urlWith = (url: string, schema: string) =>
  schema === '' ? url : `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`;

/** The URL for people: what could be a password is left out. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/[^/?:@]*):.*@/, '$1@')
    .replace(/([?&])(password|sslpassword)=[^&]*/g, '$1$2=…');
}

/** The schema of a repository whose URL names none. */
export const schemaOf = (repositoryId: string) =>
  `countersign_${repositoryId
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 48)}`;

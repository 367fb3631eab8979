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
  const [base = '', ...rest] = url.split('?');
  const options = new URLSearchParams(rest.join('?'));
  const schema = options.get('schema') ?? '';
  options.delete('schema');
  if (schema !== '' && !isSchemaName(schema)) {
    const message = `?schema=${schema} is no name that this store takes: small letters, digits and _, at most 63`;
    throw new StoreError('BAD_URL', message);
  }
  return { connection: options.size > 0 ? `${base}?${options}` : base, schema };
}

/** The same URL, with the schema in it. */
export function urlWith({ connection }: Location, schema: string): string {
  return `${connection}${connection.includes('?') ? '&' : '?'}schema=${schema}`;
}

/** The URL for people: what could be a password is left out. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/[^/?:@]*):.*@/, '$1@')
    .replace(/([?&])(password|sslpassword)=[^&]*/g, '$1$2=…');
}

export const isSchemaName = (name: string) => SCHEMA_NAME.test(name);

/** The schema of a repository whose URL names none. */
export const schemaOf = (repositoryId: string) =>
  `countersign_${repositoryId
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 48)}`;

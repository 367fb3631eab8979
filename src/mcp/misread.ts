import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** Input of a tool that does not fit its schema: what came, and what is wrong with it. */
export class Misread {
  readonly given: unknown;
  readonly problems: string;
  constructor(given: unknown, problems: string) {
    this.given = given;
    this.problems = problems;
  }
}

/**
 * The same schema in every list, for a tool that answers by itself what does not fit: it is handed a `Misread` instead of the
 * server's own words.
 */
export function takingAll<Input, Output>(
  schema: StandardSchemaWithJSON<Input, Output>,
): StandardSchemaWithJSON<Input, Output | Misread> {
  const standard = schema['~standard'];
  const { validate } = standard;
  return {
    '~standard': {
      ...standard,
      validate: async (given: unknown) => {
        const read = await validate(given);
        return read.issues === undefined ? read : { value: new Misread(given, inText(read.issues)) };
      },
    },
  } as StandardSchemaWithJSON<Input, Output | Misread>;
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

const inText = (issues: readonly Issue[]): string =>
  issues
    .map(({ message, path = [] }) => {
      const at = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
      return at === '' ? message : `${at}: ${message}`;
    })
    .join('; ');

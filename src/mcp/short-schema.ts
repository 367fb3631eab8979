import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/**
 * The same schema, without what every list would repeat for each tool and what says nothing: the name of the draft, which is
 * the one that MCP takes for granted, and members that allow everything.
 */
export function shortSchema<Input, Output>(
  schema: StandardSchemaWithJSON<Input, Output>,
): StandardSchemaWithJSON<Input, Output> {
  const standard = schema['~standard'];
  const { input, output } = standard.jsonSchema;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (options) => shorter(input(options)),
        output: (options) => shorter(output(options)),
      },
    },
  };
}

type Json = Record<string, unknown>;

const shorter = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== '$schema' && !saysNothing(name, value))
      .map(([name, value]) => [name, isObject(value) ? shorter(value) : value]),
  );

function saysNothing(name: string, value: unknown): boolean {
  if (name === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  const isEmpty = isObject(value) && Object.keys(value).length === 0;
  return isEmpty && (name === 'additionalProperties' || name === 'properties');
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { text } from './contents.ts';

/** The tools whose schemas the suite wants to see as they were written, by the names that it calls. */
export function registerSchemaTools(server: McpServer): void {
  for (const [name, schema] of Object.entries(SCHEMAS))
    server.registerTool(
      name,
      { description: name, inputSchema: fromJsonSchema(schema as Schema) },
      (given) => ({
        content: [text(JSON.stringify(given))],
      }),
    );
}

type Schema = Parameters<typeof fromJsonSchema>[0];

const string = { type: 'string' };
const SCHEMAS: Record<string, object> = {
  test_x_mcp_header: {
    type: 'object',
    properties: { region: { ...string, 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
  },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } },
    },
    properties: {
      name: string,
      address: { $ref: '#/$defs/address' },
      contactMethod: { ...string, enum: ['phone', 'email'] },
      phone: string,
      email: string,
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

import {
  type GetPromptResult,
  inputRequired,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { filled, form } from './asking-tools.ts';
import { embedded, PNG, picture, text } from './contents.ts';

/** The resources that the suite reads, by their addresses. */
export function registerRead(server: McpServer): void {
  const plain = { mimeType: 'text/plain' };
  for (const name of ['static-text', 'watched-resource'])
    server.registerResource(name, `test://${name}`, plain, ({ href: uri }) => ({
      contents: [{ uri, ...plain, text: 'This is the content of the static text resource.' }],
    }));
  const png = { mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', png, ({ href: uri }) => ({
    contents: [{ uri, ...png, blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const json = { mimeType: 'application/json' };
  server.registerResource('template', template, json, ({ href: uri }, { id }) => ({
    contents: [
      { uri, ...json, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) },
    ],
  }));
}

/** The prompts that the suite asks for, by their names. */
export function registerPrompted(server: McpServer): void {
  const of = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
    messages: contents.map((content) => ({ role: 'user', content })),
  });
  const said = { description: 'of the conformance suite' };
  server.registerPrompt('test_simple_prompt', said, () => of(text('This is a simple prompt for testing.')));
  server.registerPrompt('test_prompt_with_image', said, () => of(picture, text('Please look at the image.')));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...said, argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => of(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...said, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => of(embedded(resourceUri, 'text/plain', 'Embedded.'), text('Please read it.')),
  );
  // Without arguments the context comes first, which the types of the package do not say.
  server.registerPrompt('test_input_required_result_prompt', said, (context) => {
    const asked = filled((context as unknown as ServerContext).mcpReq, 'user_context', 'context');
    if (typeof asked === 'string') return of(text(`Use the following context: ${asked}`));
    return inputRequired({ inputRequests: { user_context: form('Which context?', 'context') } });
  });
}

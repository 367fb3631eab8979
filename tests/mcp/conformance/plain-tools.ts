import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { shortSchema } from '../../../src/mcp/short-schema.ts';
import { embedded, picture, sound, text } from './contents.ts';

type Run = (context: ServerContext) => CallToolResult | Promise<CallToolResult>;

/** The tools that answer at once, by the names that the suite calls. */
export function registerPlainTools(server: McpServer, changed: Changed): void {
  const tools: Record<string, Run> = { ...CONTENTS, ...TOLD, ...triggers(changed) };
  for (const [name, run] of Object.entries(tools))
    server.registerTool(name, { description: name, inputSchema: NOTHING }, (_, context) => run(context));
}

/** Says to whoever listens that a list has changed. */
export interface Changed {
  tools(): void;
  prompts(): void;
}

const NOTHING = shortSchema(z.object({}));

const CONTENTS: Record<string, Run> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [picture] }),
  test_audio_content: () => ({ content: [sound] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      picture,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_streaming_elicitation: () => ({ content: [text('nothing is asked of the client')] }),
};

const TOLD: Record<string, Run> = {
  async test_tool_with_logging({ mcpReq }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    return { content: [text('logged')] };
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'only for a request that has set a level');
    return { content: [text('logged')] };
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
    return { content: [text(String(progressToken))] };
  },
};

const triggers = (changed: Changed): Record<string, Run> => ({
  test_trigger_tool_change() {
    changed.tools();
    return { content: [text('said')] };
  },
  test_trigger_prompt_change() {
    changed.prompts();
    return { content: [text('said')] };
  },
});

// A server with everything that the conformance suite of MCP calls by name, on the pieces that `countersign serve` stands on.
// Only scripts/conformance.mjs starts it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { foreign, LOOPBACK_NAMES } from '../../../src/http/origins.ts';
import { serverInfo } from '../../../src/mcp/hello.ts';
import { registerAskingTools, states } from './asking-tools.ts';
import { registerPlainTools } from './plain-tools.ts';
import { registerPrompted, registerRead } from './read-and-prompted.ts';
import { registerSchemaTools } from './schema-tools.ts';

function fixture(): McpServer {
  const changing = { listChanged: true };
  const capabilities = {
    tools: changing,
    prompts: changing,
    resources: { subscribe: true },
    logging: {},
    completions: {},
  };
  const server = new McpServer(serverInfo('0.0.0'), {
    capabilities,
    requestState: { verify: states.verify },
  });
  registerPlainTools(server, {
    tools: () => mcp.notify.toolsChanged(),
    prompts: () => mcp.notify.promptsChanged(),
  });
  registerAskingTools(server);
  registerSchemaTools(server);
  registerRead(server);
  registerPrompted(server);
  for (const method of ['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'] as const)
    server.server.setRequestHandler(method, () => ({}));
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0 } }));
  return server;
}

const mcp = createMcpHandler(fixture);
const app = new Hono();
app.use((c, next) =>
  foreign(c.req.raw, new Set(LOOPBACK_NAMES)) === '' ? next() : Promise.resolve(c.body(null, 403)),
);
app.use(bodyLimit({ maxSize: 8 * 1024 * 1024 }));
app.all('/mcp', (c) => mcp.fetch(c.req.raw));

const server = createAdaptorServer({ fetch: app.fetch, createServer, overrideGlobalObjects: false });
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://localhost:${port}` }));
});

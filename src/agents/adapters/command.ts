import { join } from 'node:path';
import { AgentsError } from '../agents-error.ts';
import { type Adapter, SERVER } from './adapter.ts';

const CONFIG = 'mcp.json';

/**
 * Any other program: the command line of the configuration, where {prompt}, {model} and {mcp} (path of a file that says how to
 * start our server, as Claude Code and others read it) are put in. Without {prompt} it comes on standard input. The stream
 * is taken as lines of text.
 */
export const command: Adapter = {
  name: 'command',
  commandFor({ prompt, model, mcp, extra, folder }) {
    if (extra.length === 0)
      throw new AgentsError('BAD_ADAPTER_SETTINGS', 'the adapter command needs a command line');
    const path = join(folder, CONFIG);
    const values: Readonly<Record<string, string>> = { prompt, model, mcp: mcp === null ? '' : path };
    // In one pass: what a prompt says in braces is no placeholder.
    const argv = extra.map((word) =>
      word.replace(/\{(prompt|model|mcp)\}/g, (_, name) => values[name] ?? ''),
    );
    const files =
      mcp === null ? {} : { [CONFIG]: `${JSON.stringify({ mcpServers: { [SERVER]: mcp } }, null, 2)}\n` };
    const given = extra.some((word) => word.includes('{prompt}'));
    return { argv, stdin: given ? '' : prompt, env: {}, files };
  },
  read: (line) => (line === '' ? {} : { text: `${line}\n`, more: true }),
};

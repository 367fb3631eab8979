import { join } from 'node:path';
import { type Adapter, type AgentOrder, type Reading, SERVER } from './adapter.ts';
import { jsonLine, type Looked } from './json-line.ts';

const CONFIG = 'mcp.json';
const READING = ['Read', 'Grep', 'Glob'];
const WRITING = ['Bash', 'Write', 'Edit', 'NotebookEdit'];

/** Claude Code, `claude -p` with `stream-json` (its headless mode; checked against the options of 2.1.332). */
export const claudeCode: Adapter = {
  name: 'claude-code',
  commandFor(order) {
    const { mcp } = order;
    const files =
      mcp === null ? {} : { [CONFIG]: json({ mcpServers: { [SERVER]: { type: 'stdio', ...mcp } } }) };
    // The command line asks for --verbose where stream-json is printed.
    const argv = [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...words(order),
      ...order.extra,
    ];
    return { argv, stdin: order.prompt, env: {}, files };
  },
  read(line) {
    const event = jsonLine(line);
    if (event === undefined) return {};
    const kind = event.at('type').text;
    if (kind === 'system') return session(event);
    if (kind === 'assistant') return spoken(event.at('message', 'content').list);
    return kind === 'result' ? ended(event) : {};
  },
};

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

function words({ model, mcp, readOnly, maxTurns, costUsd, folder }: AgentOrder): readonly string[] {
  const server = mcp === null ? [] : [`mcp__${SERVER}`];
  // What a repository configures for its builder has no say over who reads it only.
  const rights = readOnly
    ? ['--permission-mode', 'dontAsk', '--setting-sources', 'user', '--disallowedTools', WRITING.join(',')]
    : ['--permission-mode', 'acceptEdits'];
  const allowed = readOnly ? [...READING, ...server] : ['Bash', ...server];
  return [
    ...(model === '' ? [] : ['--model', model]),
    ...(mcp === null ? [] : ['--mcp-config', join(folder, CONFIG)]),
    '--strict-mcp-config',
    ...rights,
    '--allowedTools',
    allowed.join(','),
    ...(maxTurns > 0 ? ['--max-turns', String(maxTurns)] : []),
    ...(costUsd > 0 ? ['--max-budget-usd', String(costUsd)] : []),
  ];
}

const session = (event: Looked): Reading => {
  const id = event.at('session_id').text;
  return id === '' ? {} : { session: id };
};

/** One message may hold text and calls; the last of each counts. */
function spoken(parts: readonly Looked[]): Reading {
  const last = (kind: string, key: string) =>
    parts.findLast((part) => part.at('type').text === kind)?.at(key).text ?? '';
  const text = last('text', 'text');
  const tool = last('tool_use', 'name');
  return { ...(text === '' ? {} : { text }), ...(tool === '' ? {} : { tool }) };
}

function ended(event: Looked): Reading {
  const costUsd = event.at('total_cost_usd').number;
  // Only success has a result; an error names its kind, such as error_max_turns.
  const result = event.at('result').text || event.at('subtype').text;
  return { ...session(event), ...(costUsd === undefined ? {} : { costUsd }), result };
}

import { type Adapter, type AgentOrder, type Reading, SERVER } from './adapter.ts';
import { jsonLine, type Looked } from './json-line.ts';

/**
 * OpenCode, `opencode run --format json` (step_start, text, tool_use, step_finish, error; 1.18.33). Each step tells its own
 * cost. What the variable below says goes before the configuration of the repository.
 */
export const opencode: Adapter = {
  name: 'opencode',
  commandFor(order) {
    return {
      argv: [
        ...['opencode', 'run', '--format', 'json'],
        ...(order.model === '' ? [] : ['--model', order.model]),
        ...order.extra,
      ],
      stdin: order.prompt,
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config(order)), OPENCODE_DISABLE_AUTOUPDATE: 'true' },
      files: {},
    };
  },
  read(line) {
    const event = jsonLine(line);
    if (event === undefined) return {};
    const id = event.at('sessionID').text;
    return { ...(id === '' ? {} : { session: id }), ...told(event) };
  },
};

function config({ mcp, readOnly, maxTurns }: AgentOrder): object {
  const server = mcp && {
    type: 'local',
    command: [mcp.command, ...mcp.args],
    environment: mcp.env,
    enabled: true,
  };
  return {
    ...(server === null ? {} : { mcp: { [SERVER]: server } }),
    // Nobody is there to be asked.
    permission: readOnly
      ? { edit: 'deny', bash: 'deny', external_directory: 'deny' }
      : { edit: 'allow', bash: 'allow', external_directory: 'deny' },
    ...(maxTurns > 0 ? { agent: { build: { steps: maxTurns } } } : {}),
  };
}

function told(event: Looked): Reading {
  const kind = event.at('type').text;
  const part = event.at('part');
  if (kind === 'text') return { text: part.at('text').text };
  if (kind === 'tool_use') return { tool: part.at('tool').text };
  if (kind === 'step_finish') {
    const stepUsd = part.at('cost').number;
    return stepUsd === undefined ? {} : { stepUsd };
  }
  if (kind !== 'error') return {};
  const { at } = event;
  return { text: at('error', 'data', 'message').text || at('error', 'name').text || at('message').text };
}

import { join } from 'node:path';
import { type Adapter, type Reading, SERVER } from './adapter.ts';
import { jsonLine, type Looked } from './json-line.ts';

const SETTINGS = 'gemini-settings.json';
const WRITING = ['write_file', 'replace', 'run_shell_command'];

/**
 * Gemini CLI with `--output-format stream-json` (init, message, tool_use, tool_result, error, result; 0.61.0). Its settings of
 * the system have the last word, and a variable says where they are: so ours hold whatever the repository says. It tells
 * tokens and no cost.
 */
export const gemini: Adapter = {
  name: 'gemini',
  commandFor({ prompt, model, mcp, readOnly, maxTurns, extra, folder }) {
    const settings = {
      ...(mcp === null ? {} : { mcpServers: { [SERVER]: { ...mcp, trust: true } } }),
      ...(readOnly ? { tools: { exclude: WRITING } } : {}),
      ...(maxTurns > 0 ? { model: { maxSessionTurns: maxTurns } } : {}),
    };
    return {
      argv: [
        ...['gemini', '--output-format', 'stream-json', '--approval-mode', 'yolo'],
        ...(model === '' ? [] : ['--model', model]),
        ...extra,
      ],
      stdin: prompt,
      env: {
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(folder, SETTINGS),
        // Otherwise a working tree that nobody has opened by hand is not trusted, and everything is asked for.
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      files: { [SETTINGS]: `${JSON.stringify(settings, null, 2)}\n` },
    };
  },
  read(line) {
    const event = jsonLine(line);
    if (event === undefined) return {};
    const kind = event.at('type').text;
    if (kind === 'init') return { session: event.at('session_id').text };
    if (kind === 'message') return spoken(event);
    if (kind === 'tool_use') return { tool: event.at('tool_name').text };
    if (kind === 'error') return { text: event.at('message').text };
    const problem = kind === 'result' ? event.at('error', 'message').text : '';
    return problem === '' ? {} : { text: problem };
  },
};

function spoken(event: Looked): Reading {
  const text = event.at('content').text;
  if (event.at('role').text !== 'assistant' || text === '') return {};
  const whole = event.at('delta').is(false);
  return whole ? { text } : { text, more: true };
}

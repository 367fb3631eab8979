import { join } from 'node:path';
import { type Adapter, type McpServer, type Reading, SERVER } from './adapter.ts';
import { jsonLine, type Looked } from './json-line.ts';

const START = 'mcp-server.sh';

/**
 * Codex, `codex exec --json` (its events of threads, turns and items, 0.171.0). It tells no cost and knows no limit of turns:
 * limit its time instead.
 */
export const codex: Adapter = {
  name: 'codex',
  commandFor({ prompt, model, mcp, readOnly, gitFolders, extra, folder }) {
    const server = mcp === null ? [] : serverWords(mcp, folder);
    const argv = [
      ...['codex', 'exec', '--json', '--ephemeral'],
      ...sandboxWords(readOnly, gitFolders),
      ...(model === '' ? [] : ['--model', model]),
      ...server,
      ...extra,
      '-',
    ];
    const files = mcp === null || !hasSecrets(mcp) ? {} : { [START]: startFile(mcp) };
    return { argv, stdin: prompt, env: {}, files };
  },
  read(line) {
    const event = jsonLine(line);
    if (event === undefined) return {};
    const kind = event.at('type').text;
    if (kind === 'thread.started') return named('session', event.at('thread_id').text);
    if (kind === 'item.started' || kind === 'item.completed') return ofItem(event.at('item'));
    if (kind === 'turn.failed') return named('text', event.at('error', 'message').text);
    return kind === 'error' ? named('text', event.at('message').text) : {};
  },
};

/**
 * Its sandbox keeps everything beside the tree from being written, and the folder that `.git` of the tree points at in particular,
 * unless that very path is named.
 */
function sandboxWords(readOnly: boolean, gitFolders: readonly string[]): readonly string[] {
  if (readOnly) return ['--sandbox', 'read-only'];
  const roots = `sandbox_workspace_write.writable_roots=${JSON.stringify(gitFolders)}`;
  return ['--sandbox', 'workspace-write', ...(gitFolders.length === 0 ? [] : ['-c', roots])];
}

const hasSecrets = ({ env }: McpServer) => Object.keys(env).length > 0;

/** Everybody on the machine can read a command line, so an environment goes into a file. */
function serverWords(mcp: McpServer, folder: string): readonly string[] {
  const { command, args } = hasSecrets(mcp) ? { command: '/bin/sh', args: [join(folder, START)] } : mcp;
  const key = `mcp_servers.${SERVER}`;
  // A JSON string, and a list of them, is TOML as well.
  return ['-c', `${key}.command=${JSON.stringify(command)}`, '-c', `${key}.args=${JSON.stringify(args)}`];
}

function startFile({ command, args, env }: McpServer): string {
  const exported = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
  return ['#!/bin/sh', ...exported, `exec ${[command, ...args].map(quoted).join(' ')}`, ''].join('\n');
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

function ofItem(item: Looked): Reading {
  const kind = item.at('type').text;
  if (kind === 'agent_message') return named('text', item.at('text').text);
  if (kind === 'command_execution') return { tool: 'shell' };
  if (kind === 'mcp_tool_call') return { tool: `${item.at('server').text}.${item.at('tool').text}` };
  if (kind === 'error') return named('text', item.at('message').text);
  return kind === 'file_change' || kind === 'web_search' ? { tool: kind } : {};
}

const named = (key: 'session' | 'text', value: string): Reading => (value === '' ? {} : { [key]: value });

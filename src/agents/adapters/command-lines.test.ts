import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { layFiles } from '../lay-files.ts';
import type { AgentOrder } from './adapter.ts';
import { ADAPTERS, adapterNamed } from './index.ts';

const ORDER: AgentOrder = {
  prompt: 'Do the phase.',
  model: '',
  mcp: null,
  readOnly: false,
  gitFolders: [],
  maxTurns: 0,
  costUsd: 0,
  extra: [],
  folder: '/runs/a',
};
const MCP = { command: 'countersign', args: ['mcp', '--profile', 'phases'], env: { TOKEN: "it's a secret" } };
const FULL: AgentOrder = {
  ...ORDER,
  model: 'a-model',
  mcp: MCP,
  maxTurns: 7,
  costUsd: 1.5,
  extra: ['--more'],
};
const commandOf = (name: string, order: AgentOrder) => adapterNamed(name).commandFor(order);
const wordAfter = (argv: readonly string[], word: string) => argv[argv.indexOf(word) + 1] ?? '';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adapter '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('command lines', () => {
  it.each(ADAPTERS.map(({ name }) => name))(
    'of %s say the prompt on standard input and no secret',
    (name) => {
      const order = name === 'command' ? { ...FULL, extra: ['my-agent', '{mcp}'] } : FULL;
      const { argv, stdin, files } = commandOf(name, order);
      expect(stdin).toBe('Do the phase.');
      expect(argv.join(' ')).not.toMatch(/secret|Do the phase/);
      for (const file of Object.keys(files)) expect(file).toMatch(/^[a-z-]+\.(json|sh)$/);
    },
  );

  it('of claude-code', () => {
    const { argv, files } = commandOf('claude-code', FULL);
    expect(argv.slice(0, 5)).toEqual(['claude', '-p', '--output-format', 'stream-json', '--verbose']);
    expect(wordAfter(argv, '--model')).toBe('a-model');
    expect(wordAfter(argv, '--mcp-config')).toBe('/runs/a/mcp.json');
    expect(argv).toContain('--strict-mcp-config');
    expect(wordAfter(argv, '--max-turns')).toBe('7');
    expect(wordAfter(argv, '--max-budget-usd')).toBe('1.5');
    expect(wordAfter(argv, '--permission-mode')).toBe('acceptEdits');
    expect(argv.at(-1)).toBe('--more');
    const { mcpServers } = JSON.parse(files['mcp.json'] ?? '');
    expect(mcpServers.countersign).toEqual({ type: 'stdio', ...MCP });
  });

  it('of claude-code that may only read', () => {
    const { argv } = commandOf('claude-code', { ...FULL, readOnly: true });
    expect(wordAfter(argv, '--permission-mode')).toBe('dontAsk');
    expect(wordAfter(argv, '--setting-sources')).toBe('user');
    expect(wordAfter(argv, '--allowedTools')).toBe('Read,Grep,Glob,mcp__countersign');
    expect(wordAfter(argv, '--disallowedTools')).toBe('Bash,Write,Edit,NotebookEdit');
  });

  it('of codex', () => {
    const { argv } = commandOf('codex', FULL);
    expect(argv.slice(0, 6)).toEqual([
      'codex',
      'exec',
      '--json',
      '--ephemeral',
      '--sandbox',
      'workspace-write',
    ]);
    expect(argv).toContain('mcp_servers.countersign.command="/bin/sh"');
    expect(argv).toContain('mcp_servers.countersign.args=["/runs/a/mcp-server.sh"]');
    expect(argv.slice(-2)).toEqual(['--more', '-']);
    expect(wordAfter(commandOf('codex', { ...FULL, readOnly: true }).argv, '--sandbox')).toBe('read-only');
    const plain = commandOf('codex', { ...FULL, mcp: { ...MCP, env: {} } });
    expect(plain.argv).toContain('mcp_servers.countersign.args=["mcp","--profile","phases"]');
    expect(plain.files).toEqual({});
  });

  it('of codex let a builder write where a commit is written, and a reviewer nowhere', () => {
    const gitFolders = ['/repo/.git/worktrees/agent-4', '/repo/.git/a "b"'];
    const setting = (order: AgentOrder) =>
      commandOf('codex', order).argv.filter((word) => word.startsWith('sandbox_workspace_write'));
    const roots = '["/repo/.git/worktrees/agent-4","/repo/.git/a \\"b\\""]';
    expect(setting({ ...FULL, gitFolders })).toEqual([`sandbox_workspace_write.writable_roots=${roots}`]);
    expect(setting({ ...FULL, gitFolders, readOnly: true })).toEqual([]);
    expect(setting(FULL)).toEqual([]);
  });

  it('of codex start the server with its environment', () => {
    const server = {
      command: 'sh',
      args: ['-c', 'printf "%s|%s" "$TOKEN" "$1"', '-', "it's $here"],
      env: MCP.env,
    };
    layFiles(folder, commandOf('codex', { ...ORDER, mcp: server, folder }).files);
    const { stdout } = spawnSync('/bin/sh', [join(folder, 'mcp-server.sh')], { encoding: 'utf8' });
    expect(stdout).toBe("it's a secret|it's $here");
  });

  it('of gemini', () => {
    const { argv, env, files } = commandOf('gemini', { ...FULL, readOnly: true });
    expect(argv).toEqual([
      ...[
        'gemini',
        '--output-format',
        'stream-json',
        '--approval-mode',
        'yolo',
        '--model',
        'a-model',
        '--more',
      ],
    ]);
    expect(env.GEMINI_CLI_SYSTEM_SETTINGS_PATH).toBe('/runs/a/gemini-settings.json');
    expect(JSON.parse(files['gemini-settings.json'] ?? '')).toEqual({
      mcpServers: { countersign: { ...MCP, trust: true } },
      tools: { exclude: ['write_file', 'replace', 'run_shell_command'] },
      model: { maxSessionTurns: 7 },
    });
  });

  it('of opencode', () => {
    const { argv, env } = commandOf('opencode', { ...FULL, readOnly: true });
    expect(argv).toEqual(['opencode', 'run', '--format', 'json', '--model', 'a-model', '--more']);
    expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toMatchObject({
      mcp: {
        countersign: {
          type: 'local',
          command: ['countersign', 'mcp', '--profile', 'phases'],
          environment: MCP.env,
          enabled: true,
        },
      },
      permission: { edit: 'deny', bash: 'deny' },
    });
  });

  it('of a command put in what it asks for, once', () => {
    const extra = ['my-agent', '--ask={prompt}', '--with', '{mcp}', '{model}', '{other}'];
    const order = { ...FULL, prompt: 'say {model} and $& twice', extra };
    const { argv, stdin } = commandOf('command', order);
    const asked = '--ask=say {model} and $& twice';
    expect(argv).toEqual(['my-agent', asked, '--with', '/runs/a/mcp.json', 'a-model', '{other}']);
    expect(stdin).toBe('');
  });

  it('of a command without words are refused', () => {
    expect(() => commandOf('command', ORDER)).toThrow(
      expect.objectContaining({ code: 'BAD_ADAPTER_SETTINGS' }),
    );
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { layFiles } from '../lay-files.ts';
import type { AgentOrder, Reading } from './adapter.ts';
import { ADAPTERS, adapterNamed } from './index.ts';

const STREAMS = resolve(import.meta.dirname, '../../../tests/fixtures/agents/streams');
const stream = (name: string) =>
  readFileSync(join(STREAMS, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
const readings = (adapter: string, name: string) =>
  stream(name).map((line) => adapterNamed(adapter).read(line));
const all = (read: readonly Reading[], key: keyof Reading) => read.flatMap((one) => one[key] ?? []);

const ORDER: AgentOrder = {
  prompt: 'Do the phase.',
  model: '',
  mcp: null,
  readOnly: false,
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

describe('recorded streams', () => {
  it('of claude-code', () => {
    const read = readings('claude-code', 'claude-code');
    expect(all(read, 'tool')).toEqual(['mcp__countersign__get_phase_status', 'Bash']);
    expect(all(read, 'text')).toEqual([
      'I look at the phase first.',
      'The phase is done and its tests pass.',
    ]);
    expect(read.at(-1)).toEqual({
      session: '5b1f7c1e-0000-4000-8000-000000000001',
      costUsd: 0.0421,
      result: 'The phase is done and its tests pass.',
    });
    expect(readings('claude-code', 'claude-code-budget').at(-1)?.result).toBe('error_max_budget_usd');
  });

  it('of codex', () => {
    const read = readings('codex', 'codex');
    expect(all(read, 'session')).toEqual(['0199a213-81c0-7800-8aa1-bbab2a035a53']);
    expect(new Set(all(read, 'tool'))).toEqual(
      new Set(['countersign.get_phase_status', 'shell', 'file_change']),
    );
    expect(all(read, 'text')).toEqual(['The phase is done and its tests pass.']);
    expect(all(readings('codex', 'codex-failed'), 'text').at(-1)).toBe('the usage limit was reached');
  });

  it('of gemini, whose words come in pieces', () => {
    const read = readings('gemini', 'gemini');
    expect(all(read, 'tool')).toEqual(['mcp_countersign_get_phase_status']);
    expect(all(read, 'text').join('')).toBe(
      'I look at the phase first.The phase is done and its tests pass.',
    );
    expect(all(readings('gemini', 'gemini-failed'), 'text').at(-1)).toContain('max session turns');
  });

  it('of opencode, which tells the cost of each step', () => {
    const read = readings('opencode', 'opencode');
    expect(all(read, 'stepUsd')).toEqual([0.0125, 0.0075]);
    expect(all(read, 'tool')).toEqual(['countersign_get_phase_status']);
    expect(all(readings('opencode', 'opencode-failed'), 'text')).toEqual(['the rate limit was reached']);
  });

  it('damaged in any place, and read by any adapter, throw nothing', () => {
    const lines = readdirSync(STREAMS).flatMap((name) => stream(name.replace('.jsonl', '')));
    fc.assert(
      fc.property(
        fc.constantFrom(...ADAPTERS),
        fc.constantFrom(...lines),
        fc.nat(),
        fc.string({ maxLength: 4 }),
        ({ read }, line, at, put) => {
          const place = at % (line.length + 1);
          for (const damaged of [
            line,
            line.slice(0, place),
            line.slice(0, place) + put + line.slice(place + 1),
          ]) {
            expect(typeof read(damaged)).toBe('object');
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('whose values have other types say nothing', () => {
    const kinds = [
      'system',
      'assistant',
      'result',
      'thread.started',
      'item.completed',
      'turn.failed',
      'init',
    ];
    const more = ['message', 'tool_use', 'error', 'text', 'step_finish'];
    const odd = fc.constantFrom(null, 7, [], {}, [null], 'x', true);
    const event = fc.record({
      type: fc.constantFrom(...kinds, ...more),
      message: odd,
      item: odd,
      part: odd,
      error: odd,
      content: odd,
      session_id: odd,
      total_cost_usd: odd,
    });
    fc.assert(
      fc.property(fc.constantFrom(...ADAPTERS), event, ({ read }, value) => {
        const { costUsd, stepUsd, ...words } = read(JSON.stringify(value));
        for (const word of Object.values(words)) expect(['string', 'boolean']).toContain(typeof word);
        for (const amount of [costUsd, stepUsd]) expect(['number', 'undefined']).toContain(typeof amount);
      }),
    );
  });
});

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

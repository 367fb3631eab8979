import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reading } from './adapter.ts';
import { ADAPTERS, adapterNamed } from './index.ts';

const STREAMS = resolve(import.meta.dirname, '../../../tests/fixtures/agents/streams');
const stream = (name: string) =>
  readFileSync(join(STREAMS, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
const readings = (adapter: string, name: string) =>
  stream(name).map((line) => adapterNamed(adapter).read(line));
const all = (read: readonly Reading[], key: keyof Reading) => read.flatMap((one) => one[key] ?? []);

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

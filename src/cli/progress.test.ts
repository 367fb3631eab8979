import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Output } from './print.ts';
import { progressLines } from './progress.ts';

let written: string[];
beforeEach(() => {
  vi.useFakeTimers();
  written = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const output = (more: Partial<Output> = {}): Output => ({
  ...{ json: false, quiet: false, color: false, as: '', out: () => {} },
  err: (text) => void written.push(text),
  ...more,
});

describe('progress without a terminal', () => {
  it('is one line a second at most, and the last of what came meanwhile', () => {
    const { say, stop } = progressLines(output(), false);
    for (const line of ['one', 'two', 'three']) say(line);
    expect(written).toEqual(['… one\n']);
    vi.advanceTimersByTime(999);
    expect(written).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['… one\n', '… three\n']);
    say('four');
    expect(written).toHaveLength(2);
    vi.advanceTimersByTime(5_000);
    say('five');
    expect(written.slice(2)).toEqual(['… four\n', '… five\n']);
    stop();
  });

  it('ends with what it tells of: nothing is said afterwards', () => {
    const { say, stop } = progressLines(output({ json: true }), false);
    say('one');
    say('two');
    stop();
    vi.advanceTimersByTime(5_000);
    expect(written).toEqual(['… one\n']);
  });
});

it('is every line on a terminal, and none with --quiet', () => {
  const terminal = progressLines(output(), true);
  for (const line of ['one', 'two']) terminal.say(line);
  expect(written).toEqual(['  one\n', '  two\n']);
  for (const isTerminal of [true, false]) progressLines(output({ quiet: true }), isTerminal).say('three');
  expect(written).toHaveLength(2);
});

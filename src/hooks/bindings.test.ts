import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countBlock } from './bindings.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'countersign-hooks-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

test('what a session was kept from ending on is counted for each session and each sub-agent, whatever their names', () => {
  const names = ['', 'a', 'A', 'a.b', 'a/b', '../../a', 'é', '5f1c7f8e-98ab', 'x'.repeat(300)];
  const pairs = names.flatMap((session) => names.map((agent) => [session, agent] as const));
  for (const count of [1, 2]) {
    for (const [session, agent] of pairs) expect(countBlock(state, session, agent, 'T-1@1')).toBe(count);
  }
  expect(countBlock(state, 'a', 'a', 'T-1@2')).toBe(1);
});

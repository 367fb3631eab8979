import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = resolve(import.meta.dirname, '../../scripts/sizes.mjs');
let house = '';

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), 'sizes-'));
  execFileSync('git', ['init', '-q', house]);
});
afterEach(() => rmSync(house, { recursive: true, force: true }));

function sizes(files: Record<string, number>) {
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), 'export {};\n'.repeat(lines));
  }
  const { status, stdout } = spawnSync(process.execPath, [script], { cwd: house, encoding: 'utf8' });
  return { status, stdout };
}

it('passes 300 lines and notes more than 200 in src', () => {
  const { status, stdout } = sizes({
    'src/kernel/long.ts': 300,
    'src/kernel/fair.ts': 200,
    'tests/a.test.ts': 250,
  });
  expect(status).toBe(0);
  expect(stdout).toBe(
    'note: src/kernel/long.ts: 300 lines, over 200 needs a reason\n3 files, 0 errors, 1 notes\n',
  );
});

it.each([
  ['a file over 300 lines', 'tests/journeys/j01.test.ts', 301],
  ['a drawer', 'src/kernel/utils.ts', 1],
  ['a drawer with a second extension', 'src/kernel/types.test.ts', 1],
  ['a folder that is a drawer', 'src/shared/clock.ts', 1],
])('fails %s', (_, path, lines) => {
  const { status, stdout } = sizes({ [path]: lines });
  expect(status).toBe(1);
  expect(stdout).toContain(path);
});

it('ignores what git ignores, and fails when nothing is left to check', () => {
  writeFileSync(join(house, '.gitignore'), 'src/made/\n');
  const { status, stdout } = sizes({ 'src/made/big.ts': 400 });
  expect(status).toBe(1);
  expect(stdout).toContain('nothing was checked');
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addIdleCode, sourcesOf } from './idle-code.ts';

let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cs-'));
});
afterEach(() => rmSync(top, { recursive: true }));

const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(top, name), text);
};

it('finds the sources of known languages, without tests, types and texts', async () => {
  const names = ['a.ts', 'a.test.ts', 'a.d.ts', 'b.java', 'c.md', 'd.sh', 'e.py', 'test_e.py', 'f.json'];
  write(Object.fromEntries(names.map((name) => [name, ''])));
  const tests = ['*.test.*', 'test_*'];
  expect(await sourcesOf(top, { in: [], tests })).toEqual(['a.ts', 'b.java', 'e.py']);
  expect(await sourcesOf(top, { in: ['*.py'], tests })).toEqual(['e.py']);
});

it('adds a function behind what is there, that loads and is never called', () => {
  write({
    'a.cjs': 'exports.a = 1;',
    'b.mjs': 'export const b = 1; // no line end',
    'c.ts': 'export const c = 1;\n',
    'd.ts': 'const d = 1;\nexport = d;\n',
    'e.py': 'e = 1',
    'f.java': 'class F {}\n',
  });
  const changed = addIdleCode(top, ['a.cjs', 'b.mjs', 'c.ts', 'd.ts', 'e.py', 'f.java'], 9);
  expect(changed.map(({ path }) => path)).toEqual(['a.cjs', 'b.mjs', 'c.ts', 'd.ts', 'e.py']);
  for (const { path, before, after } of changed) {
    expect(String(after).startsWith(String(before))).toBe(true);
    expect(readFileSync(join(top, path), 'utf8')).toBe(String(after));
    expect(String(after).match(/n \+= 1/g)).toHaveLength(9);
  }
  for (const name of ['a.cjs', 'b.mjs']) execFileSync(process.execPath, [join(top, name)]);
  const of = (name: string) => String(changed.find(({ path }) => path === name)?.after);
  expect(of('c.ts')).toContain('\nexport function countersignIdle2(): number {\n');
  expect(of('d.ts')).toContain('\nfunction countersignIdle3(): number {\n');
});

it('writes for Python what Python takes', () => {
  write({ 'e.py': 'if True:\n    e = 1' });
  const [changed] = addIdleCode(top, ['e.py'], 0);
  expect(String(changed?.after)).toMatch(/^if True:\n {4}e = 1\n+def \w+\(\):\n {4}/);
  const { error, status } = spawnSync('python3', [join(top, 'e.py')]);
  if (error === undefined) expect(status).toBe(0);
});

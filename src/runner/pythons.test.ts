import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pythonWith } from './pythons.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pythons-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder with an interpreter that has a module or has not, and says that it is `executable`. */
function python(name: string, hasModule: boolean, executable = join(root, name, 'python3')): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'python3'), `#!/bin/sh\n${hasModule ? `echo ${executable}` : 'exit 1'}\n`);
  chmodSync(join(folder, 'python3'), 0o755);
  return folder;
}

test('the usual interpreter where it has the module, else the one that a shim chose, and none of the project', () => {
  const [bare, full] = [python('bare', false), python('full', true)];
  const shim = python('shim', true, join(full, 'python3'));
  const own = python('project/.venv/bin', true);
  const find = (checks: string, caller: string) =>
    pythonWith('pytest', { checks, caller, except: join(root, 'project') });
  expect(find(full, bare)).toBe('python3');
  expect(find(bare, `${bare}:${shim}`)).toBe(join(full, 'python3'));
  expect(find(bare, own)).toBeUndefined();
  expect(find('', '')).toBeUndefined();
});

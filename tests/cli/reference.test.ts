import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT } from '../../src/cli/exit-code.ts';
import { SCHEMA } from '../../src/cli/print.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(ROOT, 'docs/cli.md'), 'utf8');

it('docs/cli.md says what the commands say', () => {
  const script = resolve(ROOT, 'scripts/cli-reference.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

it('docs/cli.md names every exit code and the schema of the answers', () => {
  for (const code of Object.values(EXIT)) expect(page).toContain(`\n| ${code} | `);
  expect(page).toContain(SCHEMA);
});

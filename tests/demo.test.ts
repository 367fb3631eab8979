import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, type Program } from './terminal.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function demo(bin: string) {
  return spawnSync(process.execPath, ['scripts/demo.mjs', '--bin', bin], { cwd: ROOT, encoding: 'utf8' });
}

describe('the demonstration', () => {
  let program: Program;
  const folder = mkdtempSync(join(tmpdir(), 'countersign demo test '));
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => {
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test('refuses every trick, also the subtlest, and accepts the honest changes', () => {
    const { status, stdout } = demo(program.path);
    expect(stdout).not.toMatch(/NOT REFUSED|WRONG/);
    const summary = /^(\d+) tricks refused, (\d+) forgeries found, 3 honest changes accepted$/m.exec(stdout);
    expect({ status, summary: summary !== null }).toEqual({ status: 0, summary: true });
    const numbered = stdout.match(/^\d+\. /gm) ?? [];
    expect(Number(summary?.[1]) + Number(summary?.[2])).toBe(numbered.length);
    expect(numbered.length).toBeGreaterThanOrEqual(27);
    expect(stdout).toMatch(
      /said too early that it was complete: refused, as agent-\d+ holds what is not committed/,
    );
    expect(stdout).toContain('every agent and reviewer has ended');
  });

  test('fails when a trick works', () => {
    const says = JSON.stringify({ data: { status: 'verified' } });
    const bin = join(folder, 'agreeable.cjs');
    writeFileSync(bin, `console.log(${JSON.stringify(says)});\n`);
    const { status, stdout } = demo(bin);
    expect(status).toBe(1);
    expect(stdout).toContain('NOT REFUSED');
    expect(stdout).toContain('it worked');
  });

  test('takes a command that was not understood for no refusal', () => {
    const bin = join(folder, 'ignorant.cjs');
    const pending = JSON.stringify({ data: { status: 'pending' } });
    writeFileSync(
      bin,
      `if (!process.argv.includes('complete')) console.log(${JSON.stringify(pending)});
      else { console.error("error: unknown command 'complete'"); process.exitCode = 2; }\n`,
    );
    const { status, stdout } = demo(bin);
    expect(status).toBe(1);
    expect(stdout).toContain('WRONG: Complete the item without any work: the program broke');
  });
});

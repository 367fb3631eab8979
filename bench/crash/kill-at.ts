import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterwards, NO_CALL, type PointResult, pointOf, type Struck } from './points.ts';

/** The program that dies on demand, bundled where it finds the installed packages. */
export async function killProgram(root: string): Promise<{ readonly path: string; remove(): void }> {
  mkdirSync(join(root, '.bench'), { recursive: true });
  const folder = mkdtempSync(join(root, '.bench', 'kill-'));
  const path = join(folder, 'kill-point.mjs');
  await build({
    entryPoints: [join(root, 'bench/crash/kill-point.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    outfile: path,
  });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** As `throwAt`, with a process that is killed at the call. */
export async function killAt(
  program: string,
  { bench, operation, id, at, when }: Struck,
): Promise<PointResult | undefined> {
  const words = [program, bench.top, operation.name, id, String(at), when];
  const { signal, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: bench.top,
    env: bench.env,
    encoding: 'utf8',
  });
  const said = stdout.trim().split('\n').at(-1) ?? '';
  if (signal !== 'SIGKILL' && said !== 'done')
    throw new Error(`${operation.name} ended oddly: ${said} ${stderr}`);
  const problems = await afterwards(bench, operation, id, '', said === 'done');
  if (said === 'done' && problems.length === 0) return undefined;
  return pointOf(operation, said === 'done' ? NO_CALL : said, when, 'kill', problems);
}

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { SeedPlayed } from './seeds.ts';

/** Plays many seeds in as many processes as there are processors. Throws where one of them ends without having played all. */
export async function playSeeds(root: string, first: number, count: number): Promise<readonly SeedPlayed[]> {
  mkdirSync(join(root, '.bench'), { recursive: true });
  const folder = mkdtempSync(join(root, '.bench', 'seeds-'));
  try {
    const program = join(folder, 'seeds.mjs');
    await build({
      entryPoints: [join(root, 'bench/simulation/seeds.ts')],
      ...{ bundle: true, platform: 'node', target: 'node20', format: 'esm', packages: 'external' },
      ...{ logLevel: 'error', outfile: program },
    });
    const processes = Math.min(count, availableParallelism());
    const each = Math.ceil(count / processes);
    const shares = Array.from({ length: processes }, (_, n) => first + n * each);
    const last = first + count - 1;
    const played = await Promise.all(
      shares.map((from) => inOneProcess(program, from, Math.min(last, from + each - 1))),
    );
    return played.flat();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inOneProcess(program: string, from: number, to: number): Promise<readonly SeedPlayed[]> {
  // What is made for one schedule is thrown away with it: room for that spares half of the collecting.
  const words = ['--max-semi-space-size=64', program, String(from), String(to)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const played: SeedPlayed[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    played.push(JSON.parse(line) as SeedPlayed);
  const code = await ended;
  if (code !== 0 || played.length !== to - from + 1)
    throw new Error(`seeds ${from} to ${to}: ${played.length} were played, exit ${code}`);
  return played;
}

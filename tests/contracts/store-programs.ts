import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface Program {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Whole lines printed so far. */
  readonly lines: string[];
  /** Settles with exit code or signal and everything on stderr when the process and its output have ended. */
  readonly ended: Promise<{ readonly end: number | NodeJS.Signals | null; readonly stderr: string }>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the programs of tests/fixtures/store into a folder; with `packages` they find the installed ones. */
export async function bundlePrograms(folder: string, packages: boolean): Promise<void> {
  const names = ['race', 'write', 'open', 'history', 'ask'];
  await build({
    entryPoints: names.map((name) => join(root, 'tests/fixtures/store', `${name}.ts`)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg'],
    outExtension: { '.js': '.mjs' },
    outdir: folder,
  });
  if (packages) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** Starts a program of the folder: one of ours, or another that was bundled into it. */
export function start(folder: string, name: string, ...args: string[]): Program {
  const child = spawn(process.execPath, [join(folder, `${name}.mjs`), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ end: number | NodeJS.Signals | null; stderr: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ end: code ?? signal, stderr }));
  });
  return { child, lines, ended };
}

/** Waits until the program has printed so many lines, or has ended. */
export async function printed(program: Program, count: number): Promise<void> {
  while (program.lines.length < count) {
    const more = new Promise((resolve) => program.child.stdout.once('data', resolve));
    const ended = await Promise.race([more.then(() => false), program.ended.then(() => true)]);
    if (ended) return;
  }
}

/** Kills the program as soon as it has printed so many lines. */
export async function killAfter(program: Program, lines: number): Promise<void> {
  await printed(program, lines);
  program.child.kill('SIGKILL');
  const { end } = await program.ended;
  if (end !== 'SIGKILL') throw new Error(`it ended by itself: ${end}`);
}

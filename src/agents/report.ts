import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSpec } from './run.ts';

const LONGEST_MS = 600_000;
const PAUSE_MS = 2000;

/** Runs what tells of the end, and once more when that fails; what it writes is kept in `report.log`. Never rejects. */
export async function report(spec: RunSpec): Promise<void> {
  if (spec.report.length === 0) return;
  if (await told(spec)) return;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  await told(spec);
}

async function told({ folder, report: argv, reportCwd }: RunSpec): Promise<boolean> {
  try {
    const log = openSync(join(folder, 'report.log'), 'a', 0o600);
    try {
      return await ran(argv, reportCwd, log);
    } finally {
      closeSync(log);
    }
  } catch {
    return false;
  }
}

function ran([program = '', ...args]: readonly string[], cwd: string, log: number): Promise<boolean> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', log, log] });
  return new Promise((resolve) => {
    const patience = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    const done = (well: boolean) => {
      clearTimeout(patience);
      resolve(well);
    };
    child.on('error', (error) => {
      writeSync(log, `${error.message}\n`);
      done(false);
    });
    child.on('exit', (code) => done(code === 0));
  });
}

import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../attestation/digest.ts';
import type { CheckResult } from './checks/check.ts';
import type { CheckSpec } from './checks/index.ts';
import type { Criteria } from './criteria.ts';
import { matchesGlob } from './glob.ts';
import type { Memory } from './trees.ts';
import { runnerVersion } from './verdict.ts';

/** Passes of checks that name their inputs, by what these inputs are. Other checks run every time. */
export interface Reuse {
  recall(check: CheckSpec): Promise<CheckResult | undefined>;
  keep(check: CheckSpec, result: CheckResult, at: string): Promise<void>;
}

// What decides which programs and packages take part counts for every check, named or not.
const ALWAYS = ['**/package.json', '**/*lock*', '**/.npmrc', '**/.tool-versions', '**/.nvmrc'];

/**
 * Looks at the inputs in a fresh checkout, before anything ran there. The same command on the same inputs under the
 * same rules passed before: it does not run again, and the result says so. Only a pass is kept.
 */
export async function reuseIn(
  memory: Memory,
  checkout: string,
  plan: readonly CheckSpec[],
  criteria: Criteria,
): Promise<Reuse> {
  const keys = new Map<CheckSpec, string>();
  for (const check of plan) {
    if (check.kind !== 'command' || check.inputs.length === 0) continue;
    const files = await digestOf(checkout, [...check.inputs, ...ALWAYS]);
    const rules = [runnerVersion, check, criteria.setup, criteria.allow];
    const machine = [process.version, process.platform, process.arch];
    keys.set(check, sha256Hex(JSON.stringify(['reuse/1', rules, machine, files])));
  }
  return {
    async recall(check) {
      const key = keys.get(check);
      const kept = key === undefined ? undefined : await memory.recall(key);
      if (kept === undefined) return undefined;
      const { result, at } = JSON.parse(kept) as { result: CheckResult & { output: string }; at: string };
      const why = `not run again: the same command passed on the same inputs at ${at}`;
      const explanation = `${result.explanation} (${why})`;
      return { ...result, explanation, output: Buffer.from(result.output, 'base64'), notes: [why] };
    },
    async keep(check, result, at) {
      const key = keys.get(check);
      if (key === undefined || result.outcome !== 'pass') return;
      const text = JSON.stringify({ result: { ...result, output: result.output.toString('base64') }, at });
      await memory.keep(key, text);
    },
  };
}

async function digestOf(checkout: string, patterns: readonly string[]): Promise<readonly string[]> {
  const names = (await readdir(checkout, { recursive: true })).sort();
  const lines: string[] = [];
  for (const path of names.filter((name) => patterns.some((pattern) => matchesGlob(name, pattern)))) {
    const stat = await lstat(join(checkout, path));
    if (stat.isSymbolicLink()) lines.push(`${path} -> ${await readlink(join(checkout, path))}`);
    else if (stat.isFile())
      lines.push(`${path} ${stat.mode & 0o111} ${sha256Hex(await readFile(join(checkout, path)))}`);
  }
  return lines;
}

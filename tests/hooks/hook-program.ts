import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Program } from '../cli/program.ts';

/** What a hook process left behind. */
export interface Hooked {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Its one JSON document; undefined where it said nothing. */
  readonly said: Said | undefined;
}

export interface Said {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
}

/** The hook as Claude Code starts it: a process of its own, the event on stdin. */
export function hook(
  program: Program,
  {
    env,
    cwd,
    actor = 'builder',
  }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly actor?: string },
  event: object | string,
): Hooked {
  const start = join(dirname(program.path), 'countersign-hook.cjs');
  const input = typeof event === 'string' ? event : JSON.stringify(event);
  const words = [start, 'claude-code', ...(actor === '' ? [] : ['--actor', actor])];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd,
    env,
    input,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr, said: stdout === '' ? undefined : (JSON.parse(stdout) as Said) };
}

import { AgentsError } from '../agents-error.ts';
import type { Adapter } from './adapter.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { command } from './command.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** Every coding agent that can be started; one file each. */
export const ADAPTERS: readonly Adapter[] = [claudeCode, codex, gemini, opencode, command];

/** Throws AgentsError UNKNOWN_ADAPTER with the names that there are. */
export function adapterNamed(name: string): Adapter {
  const found = ADAPTERS.find((adapter) => adapter.name === name);
  if (found !== undefined) return found;
  const known = ADAPTERS.map((adapter) => adapter.name).join(', ');
  throw new AgentsError('UNKNOWN_ADAPTER', `no adapter is called ${name}; there are ${known}`);
}

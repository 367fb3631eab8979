import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { singleQuoted } from '../../kernel/single-quoted.ts';
import type { Installation } from './claude-code.ts';
import { TWO_PHASE, type Workflow } from './workflow.ts';

/** Names of the two actors whose credentials Claude Code works with. */
export interface Pair {
  readonly builder: string;
  readonly verifier: string;
}

/** How the program at `folder` (of its start files) is named in the files of the project at `top`. */
export function installationAt(
  top: string,
  folder: string,
  { builder, verifier }: Pair,
  workflow: Workflow = TWO_PHASE,
): Installation {
  const within = relative(top, folder);
  const shared = within.startsWith('node_modules/');
  const start = shared ? `${within}/countersign.cjs` : join(folder, 'countersign.cjs');
  const hook = shared
    ? `"$CLAUDE_PROJECT_DIR"/${within}/countersign-hook.cjs`
    : singleQuoted(join(folder, 'countersign-hook.cjs'));
  const hasOther = !existsSync(join(top, 'CLAUDE.md')) && existsSync(join(top, 'AGENTS.md'));
  return {
    program: ['node', start],
    hook: `node ${hook} claude-code --actor ${builder}`,
    shared,
    builder,
    verifier,
    workflow,
    instructions: hasOther ? 'AGENTS.md' : 'CLAUDE.md',
  };
}

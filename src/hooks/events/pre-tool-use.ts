import { type Answer, SILENT } from '../answer.ts';
import { guardedBy } from '../guarded.ts';
import { guardedAnswer } from '../guarded-answer.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

const WRITES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const LISTS = new Set(['TodoWrite', 'TaskUpdate']);

/** Before a tool is used: what an agent may not do by it is refused with the way on. */
export async function preToolUse(moment: Moment, around: Surroundings): Promise<Answer> {
  const { tool } = moment;
  if (WRITES.has(tool)) return write(moment, around);
  if (tool === 'Bash') return (await import('./shell-use.ts')).shellUse(moment, around);
  if (LISTS.has(tool)) return (await import('./todo.ts')).todoUse(moment, around);
  if (tool.startsWith('mcp__')) return (await import('./tool-use.ts')).toolUse(moment, around);
  return SILENT;
}

function write({ input, cwd, session }: Moment, around: Surroundings): Answer {
  const path = input.file_path ?? input.notebook_path;
  if (typeof path !== 'string' || path === '') return SILENT;
  const kind = guardedBy(path, cwd || around.top, around);
  return kind === undefined ? SILENT : guardedAnswer(kind, session, around);
}

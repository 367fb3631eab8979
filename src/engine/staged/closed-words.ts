import type { Verdict } from '../../kernel/verdict.ts';
import type { Handle } from '../handle.ts';
import { taskNameOf } from './task-name.ts';

/** What brings the evidence that a step of a task waits for: the command, but for the task. */
const BROUGHT_BY: { readonly [kind: string]: string } = {
  classification: 'countersign task assess T --risk RISK --agents A,B --reason WHY',
  presentation: 'countersign task present-plan T',
  'plan-approval': 'a person runs: countersign task approve T',
  checkpoint: 'a person runs: countersign task approve T',
  delegation: 'countersign task acknowledge-delegation T',
};

/** Closed guards of a task in stages with the commands that open them; those of other protocols stay as they are. */
export function stagedVerdicts<V extends Verdict>(handle: Handle, closed: readonly V[]): readonly V[] {
  if (handle.protocol.name !== 'staged') return closed;
  const task = taskNameOf(handle);
  return closed.map((verdict) => {
    const [, kind = ''] = /^an? ([a-z-]+) (?:saying|from) /.exec(verdict.fix) ?? [];
    const fix = verdict.guard === 'evidence' ? BROUGHT_BY[kind] : undefined;
    return fix === undefined ? verdict : { ...verdict, fix: fix.replace(/\bT\b/, task) };
  });
}

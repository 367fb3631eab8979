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

/** A closed guard of a task in stages with the command that opens it; those of other protocols stay as they are. */
export function stagedVerdict<V extends Verdict>(handle: Handle, verdict: V): V {
  if (handle.protocol.name !== 'staged' || verdict.guard !== 'evidence') return verdict;
  const [, kind = ''] = /^an? ([a-z-]+) (?:saying|from) /.exec(verdict.fix) ?? [];
  const fix = BROUGHT_BY[kind];
  return fix === undefined ? verdict : { ...verdict, fix: fix.replace(/\bT\b/, taskNameOf(handle)) };
}

import type { Verdict } from '../kernel/verdict.ts';
import { accountability } from './accountability.ts';
import { withoutPack } from './complete-item.ts';
import type { NotDone } from './execute.ts';
import { inWords, verdictsInWords } from './in-words.ts';
import { phaseVerdicts } from './phases/closed-words.ts';
import { stagedVerdict } from './staged/closed-words.ts';
import { taskNameOf } from './staged/task-name.ts';
import { firstDone, type Step, stepsOn } from './steps.ts';

/** A refusal as every face tells it: the same code, reason and steps, each in its own form. */
export interface RefusalTold {
  readonly code: NotDone['code'];
  readonly message: string;
  /** The guards that stayed closed. */
  readonly missing: readonly Pick<Verdict, 'guard' | 'status' | 'because' | 'fix'>[];
  /** Of a blocked item: what failed, and where the report of it is (2PC-23, 2PC-30). */
  readonly failures: readonly string[];
  readonly evidence: string;
  readonly steps: readonly Step[];
}

/** `command` is the name of what was refused, '' where it is none of the table. */
export function toldOf(
  { handle, code, because, verdicts, options, given }: NotDone,
  command: string,
): RefusalTold {
  const closed = verdicts.filter((v) => v.status === 'unsatisfied' || v.status === 'error');
  const told = phaseVerdicts(handle, command, closed).map((verdict) => stagedVerdict(handle, verdict));
  const missing = verdictsInWords(handle, told);
  const { failures, evidence } =
    handle.item.state === 'blocked' ? accountability(handle) : { failures: [], evidence: '' };
  return {
    code,
    message: inWords(handle, because),
    missing: missing.map(({ guard, status, because: why, fix }) => ({ guard, status, because: why, fix })),
    failures,
    evidence,
    // A gate that is closed to them says itself what opens it.
    steps:
      code !== 'gate-closed' && isPersons(handle, command)
        ? [firstDone(handle, `a person runs: countersign task approve ${taskNameOf(handle)}`)]
        : [
            ...stepsOn(handle, options, { command, code, missing, given }),
            ...withoutPack(handle, missing).map((way) => firstDone(handle, way)),
          ],
  };
}

/** The word at a checkpoint of a task in stages, tried by somebody who cannot give it. */
const isPersons = ({ protocol, item }: NotDone['handle'], command: string): boolean =>
  protocol.name === 'staged' && command === 'approve' && CHECKPOINTS.has(item.state);
const CHECKPOINTS: ReadonlySet<string> = new Set(['SYNTHESIS', 'AWAITING_USER_APPROVAL']);

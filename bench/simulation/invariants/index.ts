import type { Chronicle } from '../chronicle.ts';
import { auditDecidesTheSame } from './audited.ts';
import { attemptsAreBounded, goalsCountWhatIsConfirmed } from './bounds.ts';
import { confirmedByVerdict } from './confirmed.ts';
import { everyStateIsTheFold, viewsAreTheFold } from './folds.ts';
import type { Invariant } from './invariant.ts';
import { oneHolder } from './leases.ts';
import { acknowledgedOnce, chainsAreValid } from './log.ts';
import { nobodyConfirmsOwnWork } from './own-work.ts';
import { refusalsAreRecorded } from './refusals.ts';
import { whatWasLeftIsTakenOver } from './taken-over.ts';
import { alwaysAWayOn } from './ways.ts';

/** What must hold after every step, by name. */
export const INVARIANTS: { readonly [name: string]: Invariant } = {
  chainsAreValid,
  acknowledgedOnce,
  everyStateIsTheFold,
  viewsAreTheFold,
  confirmedByVerdict,
  nobodyConfirmsOwnWork,
  oneHolder,
  attemptsAreBounded,
  goalsCountWhatIsConfirmed,
  refusalsAreRecorded,
  alwaysAWayOn,
};

/** What costs as much as all that was written, or moves the clock: looked at once the last step is done, in this order. */
export const AT_THE_END: { readonly [name: string]: Invariant } = {
  auditDecidesTheSame,
  whatWasLeftIsTakenOver,
};

export interface Broken {
  readonly invariant: string;
  readonly because: string;
  /** Others that the same step broke. */
  readonly also: readonly string[];
}

async function brokenOf(
  of: { readonly [name: string]: Invariant },
  chronicle: Chronicle,
): Promise<Broken | undefined> {
  const found: { readonly invariant: string; readonly because: string }[] = [];
  for (const [invariant, holds] of Object.entries(of)) {
    const [because] = await holds(chronicle);
    if (because !== undefined) found.push({ invariant, because });
  }
  const [first, ...others] = found;
  return first === undefined ? undefined : { ...first, also: others.map(({ invariant }) => invariant) };
}

/** The first invariant that what was just seen breaks. */
export const broken = (chronicle: Chronicle): Promise<Broken | undefined> => brokenOf(INVARIANTS, chronicle);

export const brokenAtTheEnd = (chronicle: Chronicle): Promise<Broken | undefined> =>
  brokenOf(AT_THE_END, chronicle);

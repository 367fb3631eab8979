import type { Context } from '../context.ts';
import type { Verdict } from '../verdict.ts';
import { type Absent, checkAbsent } from './absent.ts';
import { type Apart, checkApart } from './apart.ts';
import { type AnyOf, checkAny, checkNot, checkWhen, type Not, type When } from './combined.ts';
import { type Count, checkCount, checkReaches, type Reaches } from './count.ts';
import { checkEvidence, type EvidenceGuard } from './evidence.ts';
import { checkHats, type Hats } from './hats.ts';
import { checkIndependent, type Independent } from './independent.ts';
import { checkMembers, type Members } from './members.ts';
import { checkPrevious, type Previous } from './previous.ts';
import { checkProbe, type Probe } from './probe.ts';
import { checkSame, type Same } from './same.ts';
import { checkSetting, type SettingGuard } from './setting.ts';
import { checkTeam, type Team } from './team.ts';
import { checkVotes, type Votes } from './votes.ts';

/** Every guard that a row may name. The list of files is the list of guards. */
export type Guard =
  | Apart
  | Same
  | EvidenceGuard
  | Absent
  | Votes
  | Members
  | Reaches
  | Count
  | Previous
  | Probe
  | Team
  | SettingGuard
  | Independent
  | Hats
  | Not<Guard>
  | AnyOf<Guard>
  | When<Guard>;

export const not = (of: Guard): Guard => ({ guard: 'not', of });
export const anyOf = (...of: readonly Guard[]): Guard => ({ guard: 'any', of });
export const when = (condition: Guard, require: Guard): Guard => ({ guard: 'when', if: condition, require });

const CHECKS = {
  apart: checkApart,
  same: checkSame,
  evidence: checkEvidence,
  absent: checkAbsent,
  votes: checkVotes,
  members: checkMembers,
  reaches: checkReaches,
  count: checkCount,
  previous: checkPrevious,
  probe: checkProbe,
  team: checkTeam,
  setting: checkSetting,
  independent: checkIndependent,
  hats: checkHats,
  not: (guard: Not<Guard>, context: Context) => checkNot(guard, (g) => judge(g, context)),
  any: (guard: AnyOf<Guard>, context: Context) => checkAny(guard, (g) => judge(g, context)),
  when: (guard: When<Guard>, context: Context) => checkWhen(guard, (g) => judge(g, context)),
} as const satisfies { [K in Guard['guard']]: (guard: never, context: Context) => Verdict };

/** Names of all guards, for the parser of written protocols. */
export const GUARD_NAMES = Object.keys(CHECKS) as readonly Guard['guard'][];

/** Judges one guard. A guard of an unknown name is an error, which closes the gate. */
export function judge(guard: Guard, context: Context): Verdict {
  const check = (CHECKS as { [name: string]: ((guard: never, context: Context) => Verdict) | undefined })[
    guard.guard
  ];
  if (check === undefined) return { guard: guard.guard, status: 'error', because: 'unknown guard', fix: '' };
  return check(guard as never, context);
}

import type { Actor } from '../kernel/actor.ts';
import type { Profile } from './profile.ts';
import type { Tool } from './tool.ts';
import { itemAdd } from './tools/item-add.ts';
import { itemClaim } from './tools/item-claim.ts';
import { itemFollowUp } from './tools/item-follow-up.ts';
import { itemJudge } from './tools/item-judge.ts';
import { itemList } from './tools/item-list.ts';
import { itemMove } from './tools/item-move.ts';
import { itemShow } from './tools/item-show.ts';
import { itemVerify } from './tools/item-verify.ts';
import { next } from './tools/next.ts';
import { STEP_TOOLS } from './tools/steps.ts';

/** Sets of tools, each at most 14 tools and 8 KB: `core` fits every protocol, `two-phase` names its steps. */
export const PROFILES: { readonly [profile in Profile]: readonly Tool[] } = {
  core: [next, itemList, itemShow, itemAdd, itemMove, itemClaim, itemVerify, itemJudge, itemFollowUp],
  'two-phase': [
    ...[next, itemList, itemShow, itemAdd],
    ...STEP_TOOLS,
    ...[itemClaim, itemVerify, itemJudge, itemFollowUp],
  ],
};

/** The tools that an actor is offered: its roles alone decide. */
export const offeredTo = (profile: Profile, { roles }: Pick<Actor, 'roles'>): readonly Tool[] =>
  PROFILES[profile].filter(
    (tool) => tool.roles.length === 0 || tool.roles.some((role) => roles.includes(role)),
  );

/** Every tool that some role is offered. */
export const namesOf = (profile: Profile): ReadonlySet<string> =>
  new Set(PROFILES[profile].map(({ name }) => name));

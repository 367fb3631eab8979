import type { Moved } from '../../src/kernel/event.ts';
import {
  type Ask,
  type Ghost,
  type Giving,
  isApart,
  type Law,
  may,
  mayGiveAtGate,
  passed,
  stale,
} from './law.ts';

const OPEN = ['open', 'active', 'pending_verify'];
const STARTED = ['in_progress', 'review', 'completed', 'verified'];
const has = ({ given }: Ask, name: string) => (given[name] ?? '').trim() !== '';

const tasks = ({ members }: Ghost) => [...(members.get('tasks')?.values() ?? [])].map(({ state }) => state);

/** Every task is verified or given up, and there is one at all (GOAL-24, GOAL-27, CG-06). */
const done = (ghost: Ghost) =>
  tasks(ghost).length > 0 && tasks(ghost).every((state) => ['verified', 'abandoned'].includes(state));

/** Sent back, and nothing new is there yet (GOAL-63, CG-12). */
const sentBack = (ghost: Ghost) => ghost.said.some(({ kind }) => kind === 'rejection');

/** The moves that nobody asks for (GOAL-23, GOAL-24, CG-05, CG-07). */
function settles(ghost: Ghost): string {
  switch (ghost.state) {
    case 'open':
      return tasks(ghost).some((state) => STARTED.includes(state)) ? 'active' : '';
    case 'active':
      return done(ghost) && tasks(ghost).includes('verified') && !sentBack(ghost) ? 'pending_verify' : '';
    case 'pending_verify':
    case 'verified':
      return done(ghost) ? '' : 'active';
    default:
      return '';
  }
}

type Rule = (ghost: Ghost, ask: Ask) => string | false;

const apart = ({ builders }: Ghost, { team, actor }: Ask) => isApart(team, actor, builders);

const ANYWHERE: { readonly [command: string]: Rule } = {
  link: (g, a) => has(a, 'task') && a.inOrder('linkable') && g.state,
  unlink: (g, a) => has(a, 'task') && a.reason !== '' && a.inOrder('linkable') && g.state,
  cancel: (_, a) => a.reason !== '' && 'cancelled',
};

/** The whole is judged by a lead who built none of it, on what was integrated (GOAL-25, GOAL-26, GOAL-38, GOAL-39). */
const WHOLE: { readonly [command: string]: Rule } = {
  'reject-goal': (_, a) => a.reason !== '' && 'active',
  integrate: (g, a) => apart(g, a) && has(a, 'notes') && a.inOrder('integrated') && 'pending_verify',
  'verify-goal': (g, a) => apart(g, a) && g.handedIn && passed(g) && 'verified',
};

function allows(ghost: Ghost, ask: Ask): string {
  const rules = { ...(OPEN.includes(ghost.state) ? ANYWHERE : {}) };
  const rule = rules[ask.command] ?? (ghost.state === 'pending_verify' ? WHOLE[ask.command] : undefined);
  return (may(ask, 'lead', 'person') && rule?.(ghost, ask)) || '';
}

const mayGive = (ghost: Ghost, giving: Giving) =>
  ghost.state === 'pending_verify' && mayGiveAtGate(ghost, giving, ['lead'], ['lead']);

/** It is another whole: nothing that was tried or found is about it. */
function anew(ghost: Ghost) {
  ghost.handedIn = false;
  stale(ghost);
}

function learn(ghost: Ghost, { command, from, by }: Moved) {
  if (command === 'integrate') {
    ghost.handedIn = true;
    stale(ghost);
  }
  if (command === 'reject-goal') ghost.said.push({ kind: 'rejection', outcome: 'open', by, far: 0 });
  // A regression of one task makes the whole another one.
  if (command === '' && from === 'verified') anew(ghost);
}

/** What the ledger of goals says of the goal itself. */
export const GOAL_LAW: Law = { allows, mayGive, learn, settles, escalations: [] };

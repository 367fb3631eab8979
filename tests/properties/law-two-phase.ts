import type { Moved } from '../../src/kernel/event.ts';
import {
  type Ask,
  dependenciesDone,
  type Ghost,
  type Giving,
  isApart,
  type Law,
  lastSaid,
  may,
  mayGiveAtGate,
  nobodyElse,
  notTwice,
  outsiders,
  passed,
  rename,
  says,
  stale,
} from './law.ts';

const WORK = ['claimed-work', 'evidence-files', 'evidence-types'];
const VERIFIER = 'verification-agent';
const CLOSER = 'workflow-orchestrator';

const listOpen = (ghost: Ghost, ask: Ask) => ghost.settings.halt_on_block !== true || !ask.listBlocked;
const free = (ghost: Ghost, ask: Ask) => listOpen(ghost, ask) && dependenciesDone(ghost);
const worked = ({ inOrder }: Ask) => WORK.every(inOrder);

const outside = ({ builders }: Ghost, { team, actor }: Ask) =>
  isApart(team, actor, builders) || nobodyElse(team, VERIFIER, builders);

/** Whoever closes neither built it nor asked for its verification, where somebody else could. */
function mayClose({ builders, verifiers }: Ghost, { team, actor }: Ask): boolean {
  const other = (set: Set<string>) => set.size > 0 && !set.has(actor.id);
  const maker = other(builders) || nobodyElse(team, CLOSER, builders, 'self');
  const alone = nobodyElse(team, CLOSER, verifiers, 'self');
  const allBuilt = outsiders(team, CLOSER, builders, 'self').length === 0;
  return maker && (other(verifiers) || alone || allBuilt);
}

function reported(ghost: Ghost): boolean {
  const wanted =
    ghost.settings.quality_validation === true ||
    says(ghost, 'quality-demand', 'yes') ||
    says(ghost, 'quality', 'REJECTED');
  return says(ghost, 'final-report', 'WRITTEN') && (!wanted || says(ghost, 'quality', 'APPROVED'));
}

type Rule = (ghost: Ghost, ask: Ask) => string | false;

/** Where each command leads from each state (2PC-14 to 2PC-35). */
const RULES: { readonly [at: string]: Rule } = {
  'pending dispatch': (g, a) =>
    may(a, CLOSER) && (a.given.to ?? '') !== '' && free(g, a) && a.inOrder('assignee-fits') && 'in_progress',
  'pending claim': (g, a) =>
    may(a, 'specialist') && g.settings.undispatched !== 'refuse' && free(g, a) && worked(a) && 'claimed',
  'in_progress start': (g, a) => may(a, 'specialist') && g.assignees.has(a.actor.id) && 'in_progress',
  'in_progress claim': (g, a) =>
    may(a, 'specialist') && g.assignees.has(a.actor.id) && worked(a) && 'claimed',
  'in_progress release': (_, a) => may(a, CLOSER) && 'pending',
  'claimed verify': (g, a) => may(a, VERIFIER, 'person') && outside(g, a) && passed(g) && 'verified',
  'claimed block': (g, a) =>
    may(a, VERIFIER, 'person') && outside(g, a) && says(g, 'proof-pack', 'BLOCKED') && 'blocked',
  'claimed release': (g, a) => may(a, CLOSER) && lastSaid(g, 'inconclusive') !== undefined && 'pending',
  'blocked retry': (g, a) => may(a, CLOSER) && says(g, 'failure-review', 'seen') && 'pending',
  'verified complete': (g, a) =>
    may(a, CLOSER, 'person') &&
    !g.known.has('superseded') &&
    mayClose(g, a) &&
    a.inOrder('proof-pack') &&
    says(g, 'proof-pack', 'PASSED') &&
    reported(g) &&
    'completed',
  'verified supersede': (g, a) =>
    may(a, CLOSER, 'person') && !g.known.has('superseded') && says(g, 'quality', 'REJECTED') && 'verified',
};

const JUDGES = [VERIFIER, 'quality-validator', CLOSER];

type Gives = (ghost: Ghost, giving: Giving) => boolean;

const onClaim: Gives = (ghost, giving) => {
  const { kind, outcome, actor } = giving;
  if (kind === 'quality-demand') return actor === undefined && outcome === 'yes';
  const signers = kind === 'waiver' ? [...JUDGES, 'specialist'] : JUDGES;
  return mayGiveAtGate(ghost, giving, JUDGES.slice(0, 2), signers);
};

const onFailure: Gives = ({ settings }, { kind, outcome, actor, proven }) => {
  if (kind !== 'failure-review' || outcome !== 'seen' || actor === undefined) return false;
  const by = { actor, proven };
  return may(by, 'person') || (settings.acknowledge === 'orchestrator' && may(by, CLOSER));
};

const onQuality: Gives = (ghost, giving) => {
  const { kind, outcome, actor, proven, team } = giving;
  if (kind === 'final-report') return actor === undefined && outcome === 'WRITTEN';
  if (kind !== 'quality' || actor === undefined || !['APPROVED', 'REJECTED'].includes(outcome)) return false;
  const { builders } = ghost;
  const far = isApart(team, actor, builders) || nobodyElse(team, 'quality-validator', builders);
  return may({ actor, proven }, 'quality-validator', 'person') && far && notTwice(ghost, giving);
};

const GIVES: { readonly [state: string]: Gives } = {
  claimed: onClaim,
  blocked: onFailure,
  verified: onQuality,
};

const mayGive: Gives = (ghost, giving) => GIVES[ghost.state]?.(ghost, giving) ?? false;

function learn(ghost: Ghost, { command, origin, by, arguments: given }: Moved) {
  switch (command) {
    case 'dispatch':
      return rename(ghost.assignees, given.to ?? '');
    case 'claim':
      ghost.builders.add(by);
      ghost.handedIn = true;
      return stale(ghost);
    case 'release':
      ghost.assignees.clear();
      if (origin === 'in_progress') return;
      ghost.attempt += 1;
      return stale(ghost);
    case 'verify':
    case 'block':
      ghost.verifiers.add(by);
      return;
    case 'retry':
      ghost.attempt += 1;
      ghost.assignees.clear();
      ghost.verifiers.clear();
      return stale(ghost);
    case 'supersede':
      ghost.known.set('superseded', 'yes');
  }
}

/** What the ledger of two-phase commit says. */
export const TWO_PHASE_LAW: Law = {
  allows: (ghost, ask) => RULES[`${ghost.state} ${ask.command}`]?.(ghost, ask) || '',
  mayGive,
  learn,
  settles: () => '',
  escalations: [],
};

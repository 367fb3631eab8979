import type { Moved } from '../../src/kernel/event.ts';
import { strangersAmong } from './cast.ts';
import {
  type Ask,
  dependenciesDone,
  type Ghost,
  type Giving,
  isApart,
  type Law,
  may,
  mayGiveAtGate,
  passed,
  rename,
  stale,
} from './law.ts';

const OPEN = ['pending', 'assigned', 'in_progress', 'review', 'completed'];
const WORK = ['claimed-work', 'evidence-files', 'evidence-types', 'helpers-fit'];
const has = ({ given }: Ask, name: string) => (given[name] ?? '').trim() !== '';
const escalated = ({ known }: Ghost) => known.get('escalation') === 'open';

const ROLES = ['lead', 'builder', 'reviewer', 'verifier'];

/** Three agents with a role here that are strangers to each other: builder, reviewer and verifier are three (CG-02). */
export const isLarge = ({ team }: Pick<Ask, 'team'>): boolean =>
  strangersAmong(
    team,
    team.filter((p) => p.kind === 'agent' && p.roles.some((role) => ROLES.includes(role))),
  ) >= 3;

/** Hats that one actor may not wear on one task, where a project says nothing else (CG-03). */
const PAIRS = 'builder-reviewer builder-tester reviewer-tester';

/** No hat of the actor on this task forbids the one that they would put on (GOAL-33). */
function hatFits(ghost: Ghost, { id }: Ask['actor'], hat: string, but = ''): boolean {
  const worn: { readonly [name: string]: ReadonlySet<string> } = {
    ...{ builder: ghost.builders, reviewer: ghost.reviewers, tester: ghost.testers, lead: ghost.leads },
  };
  const pairs = String(ghost.settings.hats ?? PAIRS).split(' ');
  return pairs
    .filter((pair) => pair !== but)
    .every((pair) => {
      const [one = '', other = ''] = pair.split('-');
      const clash = one === hat ? other : other === hat ? one : '';
      return !(worn[clash]?.has(id) ?? false);
    });
}

const byTheChecker = ({ known, checkers }: Ghost, { actor }: Ask) =>
  known.get('checker') !== 'named' || checkers.has(actor.id);

/** Who may verify, and so say that it does not hold: never a builder; nor who approved it, where there are three (GOAL-29 to GOAL-33). */
function mayVerify(ghost: Ghost, ask: Ask): boolean {
  const { id } = ask.actor;
  const { builders, reviewers } = ghost;
  const large = isLarge(ask);
  const hat = hatFits(ghost, ask.actor, 'tester', large ? '' : 'reviewer-tester');
  const another = hat && (!large || (reviewers.size > 0 && !reviewers.has(id)));
  if (may(ask, 'person') && builders.size > 0 && !builders.has(id) && another) return true;
  const role = large ? may(ask, 'verifier') : may(ask, 'verifier', 'lead');
  return role && isApart(ask.team, ask.actor, builders) && another && byTheChecker(ghost, ask);
}

type Rule = (ghost: Ghost, ask: Ask) => string | false;

const triage = (name: string): Rule => {
  const by = name === 'intervene' ? ['lead'] : ['lead', 'person'];
  return (g, a) => {
    const fits = { 'reassign-builder': 'assignee-fits', 'reassign-checker': 'checker-fits' }[name];
    const named = fits === undefined || (has(a, 'to') && a.inOrder(fits));
    return may(a, ...by) && escalated(g) && named && a.reason !== '' && 'in_progress';
  };
};

const assign: Rule = (g, a) =>
  may(a, 'lead', 'person') && !escalated(g) && has(a, 'to') && a.inOrder('assignee-fits') && g.state;

/** Where each command leads from each state (GOAL-10 to GOAL-18, GOAL-35 to GOAL-37). */
const RULES: { readonly [at: string]: Rule } = {
  'pending assign': (_, a) =>
    may(a, 'lead', 'person') && has(a, 'to') && a.inOrder('assignee-fits') && 'assigned',
  'assigned assign': assign,
  'in_progress assign': assign,
  'assigned start': (g, a) =>
    may(a, 'builder') && g.assignees.has(a.actor.id) && dependenciesDone(g) && 'in_progress',
  'in_progress submit': (g, a) =>
    may(a, 'builder', 'lead') &&
    g.assignees.has(a.actor.id) &&
    !escalated(g) &&
    has(a, 'summary') &&
    WORK.every(a.inOrder) &&
    'review',
  'review approve': (g, a) =>
    may(a, 'reviewer', 'lead', 'person') &&
    isApart(a.team, a.actor, g.builders) &&
    hatFits(g, a.actor, 'reviewer') &&
    'completed',
  'review reject': (g, a) =>
    may(a, 'reviewer', 'lead', 'person') &&
    isApart(a.team, a.actor, g.builders) &&
    a.reason !== '' &&
    'in_progress',
  'completed verify': (g, a) => mayVerify(g, a) && passed(g) && 'verified',
  'completed reject-verification': (g, a) => mayVerify(g, a) && a.reason !== '' && 'in_progress',
  'in_progress reassign-builder': triage('reassign-builder'),
  'in_progress reassign-checker': triage('reassign-checker'),
  'in_progress intervene': triage('intervene'),
  'verified reopen': (_, a) =>
    may(a, 'lead', 'person') && a.inOrder('assignee-fits') && a.reason !== '' && 'in_progress',
};

function allows(ghost: Ghost, ask: Ask): string {
  if (ask.command === 'abandon')
    return OPEN.includes(ghost.state) && may(ask, 'lead', 'person') && ask.reason !== '' ? 'abandoned' : '';
  return RULES[`${ghost.state} ${ask.command}`]?.(ghost, ask) || '';
}

const mayGive = (ghost: Ghost, giving: Giving) =>
  ghost.state === 'completed' &&
  mayGiveAtGate(ghost, giving, ['verifier', 'reviewer'], ['verifier', 'reviewer', 'lead']);

function learnSubmission(ghost: Ghost, { by, arguments: given }: Moved) {
  ghost.builders.add(by);
  for (const helper of (given.helpers ?? '').split(',')) if (helper.trim()) ghost.builders.add(helper.trim());
  ghost.handedIn = true;
  stale(ghost);
}

/** Two rejections leave it to the lead; after a triage every further one does at once (GOAL-34, GOAL-35, CG-04). */
function learnRejection(ghost: Ghost) {
  ghost.rejections = Math.min(ghost.rejections + 1, 2);
  ghost.reviewers.clear();
  if (ghost.rejections >= 2 || ghost.known.get('escalation') === 'triaged')
    ghost.known.set('escalation', 'open');
}

function learnTriage(ghost: Ghost, { command, by, arguments: given }: Moved) {
  ghost.rejections = 0;
  ghost.known.set('escalation', 'triaged');
  if (command !== 'intervene') ghost.leads.add(by);
  if (command === 'reassign-checker') {
    rename(ghost.checkers, given.to ?? '');
    ghost.known.set('checker', 'named');
  } else rename(ghost.assignees, command === 'intervene' ? by : (given.to ?? ''));
}

function learn(ghost: Ghost, event: Moved) {
  const { command, by, arguments: given } = event;
  switch (command) {
    case 'assign':
      ghost.leads.add(by);
      return rename(ghost.assignees, given.to ?? '');
    case 'start':
      ghost.builders.add(by);
      return;
    case 'submit':
      return learnSubmission(ghost, event);
    case 'approve':
      ghost.reviewers.add(by);
      return;
    case 'verify':
      ghost.testers.add(by);
      return;
    case 'reject-verification':
      return learnRejection(ghost);
    case 'reassign-builder':
    case 'reassign-checker':
    case 'intervene':
      return learnTriage(ghost, event);
    case 'reopen':
      if ((given.to ?? '') !== '') rename(ghost.assignees, given.to ?? '');
      ghost.reviewers.clear();
      ghost.testers.clear();
      ghost.rejections = 0;
      ghost.known.delete('escalation');
      return stale(ghost);
  }
}

/** What the ledger of goals says of their tasks. */
export const GOAL_TASK_LAW: Law = { allows, mayGive, learn, settles: () => '', escalations: [] };

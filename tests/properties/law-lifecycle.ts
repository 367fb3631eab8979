import type { Moved } from '../../src/kernel/event.ts';
import {
  type Ask,
  dependenciesDone,
  type Ghost,
  type Giving,
  isApart,
  type Law,
  may,
  mayGiveAtGate,
  nobodyElse,
  partsDone,
  passed,
  says,
  stale,
} from './law.ts';

const STATES = [
  'pending',
  'assigned',
  'planning',
  'validated',
  'in_progress',
  'testing',
  'quality_review',
  'approved',
  'committing',
] as const;
const RETURNABLE: readonly string[] = STATES.slice(0, 7);
const order = (state: string) => (STATES as readonly string[]).indexOf(state);

/** Who does the work of a state, and so says that it failed there (LIFE-39 to LIFE-46, CL-05 to CL-07). */
const OWNERS: { readonly [state: string]: string } = {
  pending: 'build-orchestrator',
  assigned: 'solution-validator',
  planning: 'solution-validator',
  validated: 'fullstack-developer',
  in_progress: 'fullstack-developer',
  testing: 'fullstack-developer',
  quality_review: 'quality-monitor',
  approved: 'git-manager',
  committing: 'git-manager',
};

const MONITOR = 'quality-monitor';
const has = (given: Ask['given'], name: string) => (given[name] ?? '').trim() !== '';
const count = (ghost: Ghost, state: string) => ghost.failures.get(state) ?? 0;

const outside = ({ builders }: Ghost, { team, actor }: Ask) =>
  isApart(team, actor, builders) || nobodyElse(team, MONITOR, builders);

type Rule = (ghost: Ghost, ask: Ask) => string | false;

/** The nine forward edges and the new approach, each with its actor (LIFE-28 to LIFE-37, CL-13). */
const FORWARD: { readonly [at: string]: Rule } = {
  'pending assign': (g, a) =>
    may(a, 'build-orchestrator') &&
    (g.settings.plan_file !== true || g.known.has('codebase-review')) &&
    dependenciesDone(g) &&
    'assigned',
  'assigned plan': (_, a) => may(a, 'solution-validator') && 'planning',
  'planning propose': (_, a) => may(a, 'fullstack-developer') && a.inOrder('new-approach') && 'planning',
  'planning validate': (g, a) =>
    may(a, 'solution-validator') && g.known.get('approach') !== 'rejected' && 'validated',
  'validated begin': (_, a) => may(a, 'fullstack-developer') && 'in_progress',
  'in_progress finish': (g, a) =>
    may(a, 'fullstack-developer') &&
    partsDone(g) &&
    ['claimed-work', 'evidence-files', 'evidence-types'].every(a.inOrder) &&
    'testing',
  'testing ask-review': (_, a) =>
    may(a, 'fullstack-developer') && ['evidence-files', 'self-checks'].every(a.inOrder) && 'quality_review',
  'quality_review approve': (g, a) => may(a, MONITOR, 'person') && outside(g, a) && passed(g) && 'approved',
  'approved commit': (_, a) => may(a, 'git-manager') && 'committing',
  'committing committed': (g, a) =>
    may(a, 'git-manager') &&
    has(a.given, 'commit') &&
    ['commit-exists', 'proof-pack'].every(a.inOrder) &&
    says(g, 'proof-pack', 'PASSED') &&
    'completed',
};

/** The way out of a failure: counted first, then decided (CL-01 to CL-03). */
function failing(ghost: Ghost, ask: Ask): string | false {
  const owner = OWNERS[ghost.state];
  if (owner === undefined || !may(ask, owner)) return false;
  if (count(ghost, ghost.state) + 1 >= 3)
    return ghost.interventions >= 2 ? 'human_escalation' : 'cto_intervention';
  return ['testing', 'quality_review', 'committing'].includes(ghost.state) ? 'in_progress' : ghost.state;
}

/** Ways out of an escalation (LIFE-47 to LIFE-54, LIFE-75 to LIFE-77, CL-08, CL-09). */
const RECOVERY: { readonly [at: string]: Rule } = {
  'cto_intervention return': (g, a) => may(a, 'cto') && has(a.given, 'guidance') && g.back,
  'cto_intervention rollback': (g, a) => {
    const earlier = STATES.slice(0, Math.max(0, order(g.back)));
    const only = earlier.length === 1 ? earlier[0] : undefined;
    const to = only ?? earlier.find((state) => state === a.given.to);
    return may(a, 'cto') && has(a.given, 'guidance') && (to ?? false);
  },
  'cto_intervention skip': (g, a) =>
    may(a, 'cto') &&
    has(a.given, 'guidance') &&
    !['in_progress', 'quality_review', 'committing'].includes(g.back) &&
    (STATES[order(g.back) + 1] ?? false),
  'cto_intervention escalate': (g, a) =>
    may(a, 'cto') && a.reason !== '' && g.interventions >= 2 && 'human_escalation',
  'human_escalation resolve': (_, a) =>
    may(a, 'person') && a.reason !== '' && RETURNABLE.includes(a.given.to ?? '') && (a.given.to ?? ''),
  'human_escalation abandon': (_, a) => may(a, 'person') && a.reason !== '' && 'failed',
};

function allows(ghost: Ghost, ask: Ask): string {
  const at = `${ghost.state} ${ask.command}`;
  const recovery = RECOVERY[at];
  if (recovery !== undefined) return recovery(ghost, ask) || '';
  if (ask.reason === '') return '';
  return (ask.command === 'fail' ? failing(ghost, ask) : FORWARD[at]?.(ghost, ask)) || '';
}

function mayGive(ghost: Ghost, giving: Giving): boolean {
  const { kind, outcome, actor, proven } = giving;
  if (ghost.state === 'pending')
    return kind === 'codebase-review' && outcome === 'done' && !!actor && may({ actor, proven }, 'cto');
  if (ghost.state !== 'quality_review') return false;
  return mayGiveAtGate(ghost, giving, [MONITOR, 'cto'], [MONITOR, 'cto', 'build-orchestrator']);
}

function learnFailure(ghost: Ghost, { origin, to }: Moved) {
  ghost.failures.set(origin, Math.min(count(ghost, origin) + 1, 3));
  if (to === 'cto_intervention') ghost.interventions += 1;
  if (to === 'in_progress' && origin !== 'in_progress') stale(ghost);
  // Whatever comes of it, this approach was rejected (CL-13).
  if (origin === 'planning') ghost.known.set('approach', 'rejected');
}

function learn(ghost: Ghost, event: Moved) {
  const { command, origin, by } = event;
  if (['begin', 'finish', 'ask-review'].includes(command)) ghost.builders.add(by);
  if (['finish', 'ask-review'].includes(command)) ghost.handedIn = true;
  switch (command) {
    case '':
      return;
    case 'fail':
      return learnFailure(ghost, event);
    case 'propose':
      ghost.known.set('approach', 'proposed');
      return;
    case 'return':
      ghost.failures.delete(ghost.back);
      if (ghost.back === 'quality_review') stale(ghost);
      return;
    case 'rollback':
    case 'skip':
      ghost.failures.delete(ghost.back);
      ghost.known.delete('approach');
      if (command === 'rollback') stale(ghost);
      return;
    case 'resolve':
      ghost.failures.clear();
      ghost.known.delete('approach');
      return stale(ghost);
    case 'escalate':
    case 'abandon':
    case 'committed':
      return;
    default:
      // A state is left by success: its failures are forgiven, and nobody else's (CL-04).
      ghost.failures.delete(origin);
      if (command === 'assign') ghost.known.delete('codebase-review');
      if (command === 'validate') ghost.known.delete('approach');
      if (['finish', 'ask-review'].includes(command)) stale(ghost);
  }
}

/** What the ledger of the lifecycle says. */
export const LIFECYCLE_LAW: Law = {
  allows,
  mayGive,
  learn,
  settles: () => '',
  escalations: ['cto_intervention', 'human_escalation'],
};

/** What a lock and the log say of agents that came late, for the audit. Times are ISO. */
export interface LateRecord {
  readonly required: readonly string[];
  readonly additions: readonly {
    readonly agent: string;
    readonly added_at_state: string;
    readonly timestamp: string;
    readonly justification: string;
  }[];
  /** Agents that were chosen in CLASSIFIED, and when that was. */
  readonly chosen: readonly string[];
  readonly chosenAt: string;
  readonly invoked: readonly string[];
  /** Agents whose worktree git knows. */
  readonly worktrees: readonly string[];
  readonly domains: { readonly [agent: string]: string };
  /** Rejections that were open from `at` to `until`, '' = still. */
  readonly rejections: readonly { readonly agent: string; readonly at: string; readonly until: string }[];
  readonly completed: readonly { readonly agent: string; readonly at: string }[];
  /** Moves between states, the oldest first. */
  readonly log: readonly { readonly from: string; readonly to: string; readonly at: string }[];
  /** When a person approved a plan. */
  readonly approvals: readonly string[];
}

export const LATE_RULES = [
  'addition-unjustified',
  'addition-not-in-lock',
  'addition-without-worktree',
  'addition-without-catch-up',
  'addition-around-rejection',
  'addition-too-late',
  'addition-without-approval',
] as const;

export interface TaskFinding {
  readonly rule: string;
  /** A warning is worth knowing and breaks no rule. */
  readonly level: 'finding' | 'warning';
  readonly what: string;
}

/** The move with which a stage of each kind ends. */
const ENDS: { readonly [state: string]: string } = {
  REQUIREMENTS: 'SYNTHESIS',
  SYNTHESIS: 'IMPLEMENTATION',
  IMPLEMENTATION: 'VALIDATION',
};

/** The seven rules for agents that come late, each with its own finding; and a warning where the planning failed (PROTO-122, PROTO-142 to PROTO-146). */
export function auditLateAgents(record: LateRecord): readonly TaskFinding[] {
  const since = record.additions.filter(({ timestamp }) => timestamp >= record.chosenAt);
  const each = record.additions.flatMap((addition) => judged(record, addition));
  const trees = since
    .filter(({ agent }) => !record.worktrees.includes(agent))
    .map(({ agent }) => found('addition-without-worktree', `${agent} has no worktree`));
  return [...each, ...trees, ...notInLock(record, since)];
}

type Addition = LateRecord['additions'][number];
type Rule = (typeof LATE_RULES)[number];

const found = (rule: Rule, what: string): TaskFinding => ({ rule, level: 'finding', what });

function judged(record: LateRecord, addition: Addition): readonly TaskFinding[] {
  const { agent, added_at_state: state, timestamp: at, justification } = addition;
  const isLate = state === 'VALIDATION' || state === 'REVIEW';
  const next = record.log.find((move) => move.at >= at && (isLate || move.from === state));
  const around = record.rejections.find(
    (r) => record.domains[r.agent] === record.domains[agent] && r.at < at && (r.until === '' || r.until > at),
  );
  return [
    ...(justification.trim() === ''
      ? [found('addition-unjustified', `nothing says why ${agent} was added`)]
      : []),
    ...(around
      ? [found('addition-around-rejection', `${agent} was added after ${around.agent} rejected`)]
      : []),
    ...(isLate && next?.to !== 'REQUIREMENTS'
      ? [found('addition-too-late', `${agent} was added in ${state}, without a way back`)]
      : []),
    ...stageEnd(record, addition, next),
    ...(state === 'IMPLEMENTATION'
      ? [{ rule: 'planning-failure', level: 'warning' as const, what: `${agent} was needed while building` }]
      : []),
  ];
}

/** What had to happen before the stage ended in which the agent was added. */
function stageEnd(
  { completed, approvals }: LateRecord,
  { agent, added_at_state: state, timestamp }: Addition,
  next: LateRecord['log'][number] | undefined,
): readonly TaskFinding[] {
  if (next === undefined || next.to !== ENDS[state]) return [];
  const isBetween = (at: string) => at >= timestamp && at <= next.at;
  return [
    ...(completed.some((word) => word.agent === agent && isBetween(word.at))
      ? []
      : [found('addition-without-catch-up', `${state} ended before ${agent} was complete`)]),
    ...(state === 'SYNTHESIS' && !approvals.some(isBetween)
      ? [found('addition-without-approval', `the plan with ${agent} was not approved anew`)]
      : []),
  ];
}

/** Whoever was not chosen in CLASSIFIED stands in both places of the lock, everybody else in the first. */
function notInLock(record: LateRecord, since: readonly Addition[]): readonly TaskFinding[] {
  const added = new Set(since.map(({ agent }) => agent));
  const all = new Set([...record.invoked, ...record.chosen, ...added, ...record.required]);
  return [...all].flatMap((agent) => {
    const isRequired = record.required.includes(agent);
    const isAdded = added.has(agent);
    if (isRequired && (isAdded || record.chosen.includes(agent))) return [];
    const where = isRequired ? 'not in agent_additions' : isAdded ? 'not in required_agents' : 'in neither';
    return [found('addition-not-in-lock', `${agent} is ${where} of required_agents and agent_additions`)];
  });
}

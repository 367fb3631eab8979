import type { StagedSettings } from './settings.ts';

/** What kind of error an agent ended with (PROTO-196). */
export const ERROR_TYPES = ['tool-limitation', 'blocker', 'implementation-error'] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

const LIMITS = /too (?:large|long|big|complex|many)|limit|out of (?:memory|tokens)|context|size|timed? ?out/i;
const BLOCKS =
  /missing|not (?:there|found|available|defined|clear)|unclear|unknown|undefined|no access|depend|contradict/i;

/** The kind of an error by its words, where the agent named none (PROTO-196). */
export function errorTypeOf(message: string): ErrorType {
  if (LIMITS.test(message)) return 'tool-limitation';
  return BLOCKS.test(message) ? 'blocker' : 'implementation-error';
}

/** How the present call of an agent stands. Times are ISO, '' where there is none. */
export interface AgentRun {
  readonly agent: string;
  readonly domain: string;
  readonly isComplete: boolean;
  /** What it said since it was called last: NOT_STARTED, WORKING, ERROR, or a word that its report does not bear out. */
  readonly status: string;
  readonly hasWorktree: boolean;
  /** Of it since the state was entered. */
  readonly calls: number;
  readonly calledAt: string;
  readonly saidAt: string;
  readonly error: string;
  readonly errorType: ErrorType;
}

export type Action = 'none' | 'wait' | 'invoke' | 'reclassify' | 'escalate';
export type Scope = 'same' | 'reduced' | 'clarified';

/** What to do about one agent. */
export interface Directive {
  readonly agent: string;
  readonly action: Action;
  /** Of the call, where one is due. */
  readonly scope: Scope;
  readonly because: string;
}

export type Pattern = 'complete' | 'open' | 'all' | 'domain' | 'individual';

export interface Recovery {
  /** What those who failed have in common (PROTO-206 to PROTO-208). */
  readonly pattern: Pattern;
  readonly action: Action;
  readonly because: string;
  readonly directives: readonly Directive[];
}

type Limits = Pick<StagedSettings, 'waits' | 'retries'> & { readonly now: string };

/**
 * What to do about agents that are not complete, by how each stands, by the clock and by the calls that were made
 * already: a pure function over what is on record (PROTO-196 to PROTO-216, CP-24).
 */
export function recoveryOf(runs: readonly AgentRun[], limits: Limits): Recovery {
  const directives = runs.map((run) => directiveFor(run, limits));
  const failing = runs.filter((run, n) => hasFailed(run, directives[n]));
  const open = directives.filter(({ action }) => action !== 'none');
  if (open.length === 0)
    return {
      pattern: 'complete',
      action: 'none',
      because: `${runs.length}/${runs.length} complete`,
      directives,
    };
  if (failing.length === 0) return stillOpen(open, directives);
  if (failing.length === runs.length && runs.length > 1)
    return {
      pattern: 'all',
      action: 'reclassify',
      because: `0/${runs.length} complete: the cause is not in one agent; go back and mend it`,
      directives,
    };
  const domains = new Set(failing.map(({ domain }) => domain));
  if (failing.length > 1 && domains.size === 1)
    return {
      pattern: 'domain',
      action: 'invoke',
      because: `only ${[...domains][0]} agents fail: say more clearly what is asked of them`,
      directives: directives.map((one) =>
        one.action === 'invoke' && failing.some(({ agent }) => agent === one.agent)
          ? { ...one, scope: 'clarified' }
          : one,
      ),
    };
  const worst = (['reclassify', 'escalate', 'invoke'] as const).find((action) =>
    open.some((one) => one.action === action),
  );
  return {
    pattern: 'individual',
    action: worst ?? 'wait',
    because: `${failing.map(({ agent }) => agent).join(', ')}: each by itself`,
    directives,
  };
}

function stillOpen(open: readonly Directive[], directives: readonly Directive[]): Recovery {
  const due = open.filter(({ action }) => action === 'invoke');
  return {
    pattern: 'open',
    action: due.length > 0 ? 'invoke' : 'wait',
    because:
      due.length > 0
        ? `call ${due.map(({ agent }) => agent).join(', ')}, all at once`
        : `wait for ${open.map(({ agent }) => agent).join(', ')}`,
    directives,
  };
}

/** Something is to be done about it, other than to call it for the first time. */
const hasFailed = ({ calls, hasWorktree }: AgentRun, one: Directive | undefined): boolean =>
  one !== undefined && one.action !== 'none' && one.action !== 'wait' && (calls > 0 || !hasWorktree);

function directiveFor(run: AgentRun, limits: Limits): Directive {
  const { agent, calls, status } = run;
  const one = (action: Action, because: string, scope: Scope = 'same'): Directive => ({
    ...{ agent, action, scope, because },
  });
  if (run.isComplete) return one('none', 'complete');
  if (!run.hasWorktree) return one('reclassify', 'its worktree is missing: make the worktrees again');
  if (calls === 0) return one('invoke', 'it was not called yet');
  if (status === 'ERROR' && run.errorType === 'blocker')
    return one('reclassify', `blocked: ${run.error}: clarify it`);
  const trouble = troubleOf(run, limits);
  if (trouble === '')
    return one('wait', `${status === 'NOT_STARTED' ? 'called' : status} and within its time`);
  if (calls > limits.retries)
    return one('escalate', `${trouble}; the ${limits.retries} retries are used up: ask the user`);
  const reduced = status === 'ERROR' && run.errorType === 'tool-limitation';
  return one('invoke', trouble, reduced ? 'reduced' : 'same');
}

/** Why the present call came to nothing; '' while it may still come to something. */
function troubleOf({ status, error, errorType, calledAt, saidAt }: AgentRun, { waits, now }: Limits): string {
  const minutes = (since: string) => (Date.parse(now) - Date.parse(since)) / 60_000;
  if (status === 'ERROR') return `${errorType}: ${error}`;
  if (status === 'NOT_STARTED')
    return minutes(calledAt) < waits.start
      ? ''
      : `no status ${waits.start} minutes after its call: the call failed without a word`;
  if (status !== 'WORKING') return 'it says that it is done, and its report is not there';
  if (minutes(calledAt) >= waits.total) return `not done ${waits.total} minutes after its call`;
  return minutes(saidAt) > waits.silence ? `no word for more than ${waits.silence} minutes` : '';
}

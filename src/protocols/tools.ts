import { staged } from './staged.ts';

/** A step of one protocol under the name that its document gives it as a tool. */
export interface NamedStep {
  readonly tool: string;
  readonly protocol: string;
  /** Of the table; 'verify' for the pass of a gate. */
  readonly command: string;
  /** How the tool calls the item. */
  readonly item: 'task_id' | 'goal_id' | 'phase_id' | 'review_id' | 'agent_id';
  /** Arguments that the call names, with what stands for them in an example. */
  readonly more: { readonly [name: string]: string | readonly string[] };
}

const WHY = { reason: 'WHY' };
const life = (tool: string, command: string, more: NamedStep['more'] = WHY): NamedStep => ({
  ...{ tool, command, more, protocol: 'lifecycle', item: 'task_id' },
});
const task = (tool: string, command: string, more: NamedStep['more'] = {}): NamedStep => ({
  ...{ tool, command, more, protocol: 'goal-task', item: 'task_id' },
});
const goal = (tool: string, command: string, more: NamedStep['more'] = {}): NamedStep => ({
  ...{ tool, command, more, protocol: 'goal', item: 'goal_id' },
});
const guided = (pattern: string) =>
  life('give_guidance', pattern, { guidance: 'WHAT TO DO OTHERWISE', pattern });

const ARGUMENTS: { readonly [name: string]: string } = {
  ...{ risk: 'RISK', agents: 'A,B', agent: 'AGENT', reason: 'WHY' },
};

/** The steps of a task in stages that whoever coordinates it takes; its checks are run by a tool of their own. */
export const STAGED_STEPS: readonly NamedStep[] = [
  ...new Map(
    staged.rows
      .filter((row) => row.by.includes('coordinator') && row.command !== 'verify')
      .map(({ command, takes }): readonly [string, NamedStep] => [
        command,
        {
          ...{ tool: 'task_step', protocol: 'staged', command, item: 'task_id' },
          more: {
            ...{ command, session: 'SESSION', cwd: 'FOLDER' },
            ...Object.fromEntries(takes.map((name) => [name, ARGUMENTS[name] ?? name.toUpperCase()])),
          },
        },
      ]),
  ).values(),
];

/** The steps of the lifecycle and of goals that have a tool of their own (GOAL-41 to GOAL-55, CG-01). */
export const NAMED_STEPS: readonly NamedStep[] = [
  life('assign_task', 'assign'),
  life('start_planning', 'plan'),
  life('propose_approach', 'propose', { file: 'PATH', ...WHY }),
  life('validate_task', 'validate'),
  life('begin_task', 'begin'),
  life('finish_task', 'finish'),
  life('request_review', 'ask-review', { evidence: ['PATH'], ...WHY }),
  life('verify_task', 'verify', {}),
  life('start_commit', 'commit'),
  life('report_commit', 'committed', { commit: 'COMMIT', ...WHY }),
  life('record_failure', 'fail'),
  guided('return'),
  guided('rollback'),
  guided('skip'),
  life('escalate_task', 'escalate'),
  life('review_codebase', 'codebase-review'),
  task('assign_task', 'assign', { assign_to: 'ACTOR' }),
  task('update_task', 'start', { status: 'in_progress' }),
  task('submit_for_review', 'submit', { summary: 'WHAT WAS DONE' }),
  task('approve_task', 'approve'),
  task('reject_task', 'reject', WHY),
  task('verify_task', 'verify', { notes: 'WHAT YOU SAW' }),
  task('reject_verification', 'reject-verification', WHY),
  task('reopen_task', 'reopen', WHY),
  goal('link_task_to_goal', 'link', { task_id: 'TASK' }),
  goal('verify_goal', 'integrate', { notes: 'WHAT YOU TRIED' }),
  goal('verify_goal', 'verify', { notes: 'WHAT YOU TRIED' }),
  goal('reject_goal', 'reject-goal', WHY),
  ...STAGED_STEPS,
  { tool: 'verify_task', protocol: 'staged', command: 'verify', item: 'task_id', more: {} },
];

const phased = (tool: string, command: string, more: NamedStep['more'] = {}): NamedStep => ({
  ...{ tool, command, more, protocol: 'phase', item: 'phase_id' },
});
const verdict = (command: string, word: string, more: NamedStep['more'] = {}): NamedStep => ({
  ...{ tool: 'submit_review_verdict', command, protocol: 'reviewer', item: 'review_id' },
  more: { verdict: word, ...more },
});
const progress = (command: string, status: string): NamedStep => ({
  ...{ tool: 'update_agent_progress', command, protocol: 'agent-run', item: 'agent_id' },
  more: { status, message: 'WHAT WAS DONE' },
});

/** The steps of tasks in phases, under the names of their document (PHASE-110). */
const PHASE_STEPS: readonly NamedStep[] = [
  phased('deploy_headless_agent', 'deploy', { prompt: 'WHAT IT IS TO DO' }),
  phased('submit_phase_for_review', 'submit'),
  phased('advance_to_next_phase', 'advance'),
  phased('trigger_agentic_review', 'trigger'),
  phased('abort_stalled_review', 'abort', WHY),
  { tool: 'abort_stalled_review', protocol: 'review', command: 'abort', item: 'phase_id', more: WHY },
  verdict('approve', 'approve'),
  verdict('changes', 'request_changes', { findings: ['FINDING'] }),
  verdict('reject', 'reject', { findings: ['FINDING'] }),
  progress('report', 'working'),
  progress('complete', 'completed'),
  progress('fail', 'failed'),
  { tool: 'kill_real_agent', protocol: 'agent-run', command: 'kill', item: 'agent_id', more: WHY },
];

/** The tool of a step, undefined where it has none of its own. */
export const namedStep = (protocol: string, command: string): NamedStep | undefined =>
  [...NAMED_STEPS, ...PHASE_STEPS].find((step) => step.protocol === protocol && step.command === command);

import type { Facts } from '../../kernel/event.ts';
import type { AgentSettings } from '../agent-port.ts';
import type { Config } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';

/** Severities of a finding, the gravest first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const POLICIES = ['majority', 'unanimous', 'single', 'veto'] as const;

/** How a project runs tasks in phases: `phases` in `.countersign/config.yaml`. Pinned when a task is planned. */
export interface PhaseSettings {
  /** `{task}`: what the task is called. */
  readonly branch: string;
  /** Folder of the agents' working trees; `{repo}` = the name of the main worktree's folder. */
  readonly trees: string;
  /** Name of the agent that is deployed where none is named. */
  readonly agent: string;
  /** Names of the agents that review, in turn. */
  readonly reviewer_agents: readonly string[];
  /** How many review each phase (CH-18). */
  readonly reviewers: number;
  readonly policy: (typeof POLICIES)[number];
  /** Minutes without a word after which a reviewer counts as stalled (CH-18). */
  readonly stalled: number;
  /** False: whoever coordinates submits by hand. */
  readonly auto_submit: boolean;
  /** Most review rounds of a phase; 0 = no limit (CX-10). */
  readonly rounds: number;
  /** US dollars that the agents of a phase may cost together, as they tell it; 0 = no limit. */
  readonly cost: number;
  /** Findings below it are kept and decide nothing. */
  readonly floor: Severity;
}

export const PHASE_DEFAULTS: PhaseSettings = {
  branch: 'phases/{task}',
  trees: '../{repo}.agents',
  agent: 'builder',
  reviewer_agents: ['reviewer'],
  reviewers: 3,
  policy: 'majority',
  stalled: 10,
  auto_submit: true,
  rounds: 0,
  cost: 0,
  floor: 'low',
};

/** The settings of a project. Throws BAD_CONFIG for a key or a value that is none. */
export function phaseSettings({ phases = {} }: Pick<Config, 'phases'>): PhaseSettings {
  for (const [key, value] of Object.entries(phases)) {
    const known: unknown = PHASE_DEFAULTS[key as keyof PhaseSettings];
    if (known === undefined)
      throw bad(`unknown key ${key} (known: ${Object.keys(PHASE_DEFAULTS).join(', ')})`);
    if (Array.isArray(known) !== Array.isArray(value) || typeof known !== typeof value)
      throw bad(`${key} must be ${Array.isArray(known) ? 'a list' : `a ${typeof known}`}`);
  }
  const settings: PhaseSettings = { ...PHASE_DEFAULTS, ...(phases as Partial<PhaseSettings>) };
  assertSensible(settings);
  return settings;
}

function assertSensible({ reviewers, policy, floor, stalled, rounds, cost, ...names }: PhaseSettings): void {
  if (!Number.isInteger(reviewers) || reviewers < 1 || reviewers > 9)
    throw bad('reviewers must be a whole number from 1 to 9');
  if (!(POLICIES as readonly string[]).includes(policy)) throw bad(`policy is one of ${POLICIES.join(', ')}`);
  if (!(SEVERITIES as readonly string[]).includes(floor))
    throw bad(`floor is one of ${SEVERITIES.join(', ')}`);
  if (!(stalled > 0)) throw bad('stalled must be a number of minutes greater than 0');
  if (!(rounds >= 0) || !(cost >= 0)) throw bad('rounds and cost must be 0 or more');
  if (names.reviewer_agents.length === 0) throw bad('reviewer_agents names nobody');
  if (!names.branch.includes('{task}')) throw bad('branch must hold {task}');
}

const AGENT_DEFAULTS: AgentSettings = {
  adapter: '',
  model: '',
  command: [],
  extra: [],
  turns: 0,
  minutes: 60,
  megabytes: 50,
  cost: 0,
};

export const ADAPTERS = ['claude-code', 'codex', 'gemini', 'opencode', 'command'] as const;

/** The agent of that name. Throws BAD_CONFIG where there is none, or it is not one that can be started. */
export function agentNamed({ agents = {} }: Pick<Config, 'agents'>, name: string): AgentSettings {
  const given = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (typeof given !== 'object' || given === null) {
    const known = Object.keys(agents).join(', ') || 'none';
    throw badAgent(`there is no agent ${name} (known: ${known})`);
  }
  assertAgentKeys(name, given);
  const agent: AgentSettings = { ...AGENT_DEFAULTS, ...given };
  if (!(ADAPTERS as readonly string[]).includes(agent.adapter))
    throw badAgent(`${name}.adapter is one of ${ADAPTERS.join(', ')}`);
  if (agent.adapter === 'command' && agent.command.length === 0)
    throw badAgent(`${name}.command names no program`);
  return agent;
}

function assertAgentKeys(name: string, given: object): void {
  for (const [key, value] of Object.entries(given)) {
    const known: unknown = AGENT_DEFAULTS[key as keyof AgentSettings];
    if (known === undefined)
      throw badAgent(`${name} has no ${key} (known: ${Object.keys(AGENT_DEFAULTS).join(', ')})`);
    if (Array.isArray(known) !== Array.isArray(value) || typeof known !== typeof value)
      throw badAgent(`${name}.${key} must be ${Array.isArray(known) ? 'a list' : `a ${typeof known}`}`);
  }
}

/** What was pinned when the task of an item was planned. */
export function pinnedOf({ item }: Pick<Handle, 'item'>): PhaseSettings {
  const pinned = item.facts.phases as (Facts & Partial<PhaseSettings>) | undefined;
  return { ...PHASE_DEFAULTS, ...(pinned as Partial<PhaseSettings> | undefined) };
}

const FILE = '.countersign/config.yaml';
const bad = (what: string) =>
  new EngineError('BAD_CONFIG', `${FILE}: phases: ${what}`, 'see: docs/phases.md');
const badAgent = (what: string) =>
  new EngineError(
    'BAD_CONFIG',
    `${FILE}: agents: ${what}`,
    'such as: agents: { builder: { adapter: claude-code } }',
  );

import type { Facts } from '../../kernel/event.ts';
import type { Config } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';

/** Severities of a finding, the gravest first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Minutes of a month: what is longer is a mistake. */
export const MOST_MINUTES = 43_200;

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
  if (!(stalled > 0 && stalled <= MOST_MINUTES))
    throw bad(`stalled must be a number of minutes greater than 0, at most ${MOST_MINUTES}`);
  if (!Number.isSafeInteger(rounds) || rounds < 0) throw bad('rounds must be a whole number, 0 or more');
  if (!Number.isFinite(cost) || cost < 0) throw bad('cost must be an amount, 0 or more');
  if (names.reviewer_agents.length === 0) throw bad('reviewer_agents names nobody');
  if (names.reviewer_agents.some((name: unknown) => typeof name !== 'string'))
    throw bad('reviewer_agents must be names');
  if (!names.branch.includes('{task}')) throw bad('branch must hold {task}');
}

/** What was pinned when the task of an item was planned. */
export function pinnedOf({ item }: Pick<Handle, 'item'>): PhaseSettings {
  const pinned = item.facts.phases as (Facts & Partial<PhaseSettings>) | undefined;
  return { ...PHASE_DEFAULTS, ...(pinned as Partial<PhaseSettings> | undefined) };
}

const FILE = '.countersign/config.yaml';
const bad = (what: string) =>
  new EngineError('BAD_CONFIG', `${FILE}: phases: ${what}`, 'see: docs/phases.md');

import type { Ports } from '../../src/engine/ports.ts';
import { type Dice, diceOf } from './dice.ts';

/** One thing that happens. `dice` seeds all that it draws, so that it does the same whatever was dropped before it. */
export interface Step {
  readonly what: What;
  readonly dice: number;
}

/** What can happen, with how often it does. */
const WHAT = {
  ask: 60,
  finish: 12,
  advance: 26,
  twice: 8,
  clock: 4,
  kill: 2,
  'die soon': 2,
  'store fault': 4,
  'agent struck': 2,
  'no start': 1,
  'broken run': 2,
  token: 1,
  tick: 2,
} as const;
export type What = keyof typeof WHAT;

const KINDS = Object.entries(WHAT).flatMap(([what, often]) =>
  Array.from({ length: often }, () => what as What),
);

/** What happens under a seed: the same for ever. */
export interface Schedule {
  readonly seed: number;
  /** The protocols that are played; each schedule mixes some. */
  readonly protocols: readonly string[];
  /** Which town it begins in, 0 for one that was just founded. */
  readonly start: number;
  /** Whether those who play it fail often, and say so. */
  readonly isGloomy: boolean;
  readonly steps: readonly Step[];
}

/** The protocols that are played, with how many steps they are played on the average. */
const LENGTH = { 'two-phase': 25, lifecycle: 32, goal: 70, staged: 64, phases: 40 };
export const PLAYED = Object.keys(LENGTH) as readonly (keyof typeof LENGTH)[];

export function scheduleOf(seed: number): Schedule {
  const dice = diceOf(seed);
  const first = PLAYED[seed % PLAYED.length] ?? 'two-phase';
  const protocols = dice.chance(0.3) ? [first, dice.pick(PLAYED)] : [first];
  const length = Math.ceil(LENGTH[first] / 2) + dice.below(LENGTH[first]);
  const step = (): Step => ({ what: dice.pick(KINDS), dice: dice.below(2 ** 32) });
  return {
    seed,
    protocols,
    start: dice.chance(0.35) ? 0 : 1 + dice.below(1_000),
    isGloomy: dice.chance(0.25),
    steps: Array.from({ length }, step),
  };
}

export const dropped = (schedule: Schedule, from: number, count: number): Schedule => ({
  ...schedule,
  steps: schedule.steps.toSpliced(from, count),
});

/** How a run may be made wrong on purpose. */
export interface Meddling {
  /** What everybody has in the place of their ports. */
  wrap(ports: Ports): Ports;
  /** Changes tables for the time of a run; answers how they are put back. */
  table(): () => void;
}

export const HONEST: Meddling = { wrap: (ports) => ports, table: () => () => {} };

export const diceFor = ({ dice }: Step): Dice => diceOf(dice);

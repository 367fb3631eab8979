import type { Desk } from '../workshop.ts';
import { npmTestPasses } from './npm-test.ts';
import { stopHookAllows } from './stop-hook.ts';
import { trust } from './trust.ts';

/** Which of the usual ways to decide would have accepted the work. */
export interface Baselines {
  /** The claim is believed. */
  readonly b0: boolean;
  /** Exit code of `npm test` in the builder's own working tree. */
  readonly b1: boolean;
  /** A hook that runs the tests when the agent wants to stop. */
  readonly b4: boolean;
}

export async function baselines(desk: Desk, base: string): Promise<Baselines> {
  const run = await npmTestPasses(desk);
  return { b0: trust(), b1: run, b4: await stopHookAllows(desk, base, async () => run) };
}

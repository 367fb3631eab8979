import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { freshEnvironment, type Preparation, prepare } from './preparation.ts';
import type { CheckedOut, RunRequest } from './request.ts';
import type { Trees } from './trees.ts';

/** Fills an empty folder with one side's tree. */
export type Checkout = (folder: string) => Promise<CheckedOut>;

/**
 * Makes trees below the folder of a run, by names that tell nothing, not even their order; they go with the run's folder. `base` is
 * undefined where the run knows none.
 */
export function treeMaker(
  run: Omit<Preparation, 'checkout'> & Pick<RunRequest, 'variables'>,
  head: Checkout,
  base: Checkout | undefined,
): Trees {
  return {
    builds: run.criteria.setup.build.length > 0,
    async fresh(side, edit) {
      const fill = side === 'head' ? head : base;
      if (fill === undefined) return { cause: 'the run knows no base' };
      // Everything of a tree lies below one folder: what is left running there is found by it.
      const folder = await mkdtemp(join(run.folder, 'n'));
      const checkout = join(folder, 'tree');
      await mkdir(checkout, { recursive: true, mode: 0o700 });
      try {
        await fill(checkout);
        await edit(checkout);
      } catch (error) {
        return { cause: error instanceof Error ? error.message : String(error) };
      }
      const setup = await prepare({ ...run, folder, checkout });
      if (setup.outcome === 'indeterminate') return { cause: setup.cause, unbuilt: setup.unbuilt === true };
      return { checkout, env: await freshEnvironment(folder, run.criteria.allow, run.variables) };
    },
  };
}

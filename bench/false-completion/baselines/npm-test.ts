import { ended } from '../ended.ts';
import type { Desk } from '../workshop.ts';

/** b1: the tests in the folder where the builder works, by the script that the builder may edit. */
export async function npmTestPasses({ top, env }: Desk): Promise<boolean> {
  const { code } = await ended(
    'npm',
    ['test', '--silent'],
    top,
    { ...env, CI: '1' },
    { timeout: 10_000, quiet: true },
  );
  return code === 0;
}

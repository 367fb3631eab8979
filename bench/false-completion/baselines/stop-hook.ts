import type { Desk } from '../workshop.ts';

/**
 * b4: a hook at the end of a turn. Nothing changed since the session began: it has nothing to say. Otherwise it runs the
 * tests of the working tree, and the agent may stop when they pass.
 */
export async function stopHookAllows(
  desk: Desk,
  base: string,
  testsPass: () => Promise<boolean>,
): Promise<boolean> {
  const changed =
    (await desk.git('status', '--porcelain')) !== '' || (await desk.git('diff', '--name-only', base)) !== '';
  return !changed || testsPass();
}

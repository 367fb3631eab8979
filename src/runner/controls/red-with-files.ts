import type { Report } from '../report.ts';
import type { InlineChange } from './inline-change.ts';
import { compared, onBaseSource, type RedGreen, redOnBase, withoutMissed } from './red-on-base.ts';
import { isProblem, type Problem, type Suite } from './suite.ts';

/**
 * Which tests go red where the work has other new files, lacks some, or lets more be started. What fails on base with all of
 * that misses the change of a program. Where none of those does that may show it, base as it was is asked as well, and a
 * test that fails there and passes with those files only missed one of them: it shows no more than one that could not be
 * loaded.
 */
export async function redWithFiles(
  suite: Suite,
  inline: readonly InlineChange[],
  onHead: Report,
  isShowing: (id: string) => boolean,
  first: Promise<Report | Problem> = onBaseSource(suite, inline, true, true),
): Promise<RedGreen | Problem> {
  const given = await first;
  const found = isProblem(given) ? undefined : compared(onHead, given);
  if (found?.failed.some(isShowing) === true) return found;
  const bare = await redOnBase(suite, inline, onHead);
  if (isProblem(bare) || bare.failed.length === 0) return bare;
  return isProblem(given) ? given : withoutMissed(bare, given);
}

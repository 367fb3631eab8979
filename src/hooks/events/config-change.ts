import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, block, SILENT } from '../answer.ts';
import { isAtWork } from '../bindings.ts';
import { guardedBy } from '../guarded.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

/** The settings changed: not in a way that takes the hooks out while a session works on an item. */
export function configChange({ file, session, cwd }: Moment, around: Surroundings): Answer {
  if (file === '' || guardedBy(file, cwd || around.top, around) !== 'hooks') return SILENT;
  if (!isAtWork(around.state, session)) return SILENT;
  const what = takenOut(file, around);
  return what === ''
    ? SILENT
    : block(`${what} Put it back as it was: countersign doctor tells how it should be.`);
}

/** What the settings no longer say, '' where the hooks are still named and armed. */
function takenOut(file: string, { top, env }: Surroundings): string {
  const changed = settingsIn(file);
  if (changed === undefined) return 'The settings cannot be read any more.';
  if (changed.disableAllHooks === true)
    return 'The settings now switch all hooks off, those of Countersign too.';
  // A plugin brings its hooks itself; else one of the project's two files names them.
  const files = ['settings.json', 'settings.local.json'].map((name) => join(top, '.claude', name));
  const isNamed = files.some((path) =>
    JSON.stringify(settingsIn(path)?.hooks ?? {}).includes('countersign-hook'),
  );
  return isNamed || env.CLAUDE_PLUGIN_ROOT ? '' : 'The settings no longer name the hooks of Countersign.';
}

function settingsIn(
  file: string,
): { readonly disableAllHooks?: unknown; readonly hooks?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { disableAllHooks?: unknown; hooks?: unknown };
  } catch {
    return undefined;
  }
}

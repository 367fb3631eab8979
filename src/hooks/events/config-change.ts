import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_NAMES, isOurs } from '../../engine/harness/claude-code.ts';
import { type Answer, block, SILENT } from '../answer.ts';
import { isAtWork } from '../bindings.ts';
import { guardedBy } from '../guarded.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

/** The settings changed: not in a way that takes the hooks out while a session works on an item. */
export function configChange({ file, session, cwd }: Moment, around: Surroundings): Answer {
  if (!isAtWork(around.state, session)) return SILENT;
  if (file !== '' && guardedBy(file, cwd || around.top, around) !== 'hooks') return SILENT;
  const what = takenOut(file, around);
  return what === ''
    ? SILENT
    : block(`${what} Put it back as it was: countersign doctor tells how it should be.`);
}

/** What the settings no longer say, '' where the hooks are still named for every event, and armed. */
function takenOut(file: string, { top, env }: Surroundings): string {
  const own = ['settings.json', 'settings.local.json'].map((name) => join(top, '.claude', name));
  if (file !== '' && settingsIn(file) === undefined) return 'The settings cannot be read any more.';
  const all = [...new Set(file === '' ? own : [file, ...own])].map(settingsIn);
  if (all.some((settings) => settings?.disableAllHooks === true))
    return 'The settings now switch all hooks off, those of Countersign too.';
  // A plugin brings its hooks itself; else the project's two files name them.
  if (env.CLAUDE_PLUGIN_ROOT) return '';
  const gone = EVENT_NAMES.filter((event) => !all.some((settings) => namesOurs(settings?.hooks, event)));
  return gone.length === 0
    ? ''
    : `The settings no longer name the hooks of Countersign for ${gone.join(', ')}.`;
}

function namesOurs(hooks: unknown, event: string): boolean {
  const entries = (hooks as { readonly [event: string]: unknown } | null | undefined)?.[event];
  return Array.isArray(entries) && entries.some(isOurs);
}

function settingsIn(
  file: string,
): { readonly disableAllHooks?: unknown; readonly hooks?: unknown } | undefined {
  try {
    return JSON.parse(textOf(file)) as { disableAllHooks?: unknown; hooks?: unknown };
  } catch {
    return undefined;
  }
}

const LARGEST = 1024 * 1024;

/** A server looks here by a way that its client names: a pipe would keep it waiting for ever, a device would never end. */
function textOf(file: string): string {
  const open = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(open);
    if (!stats.isFile() || stats.size > LARGEST) throw new Error(`${file} is no file of settings`);
    return readFileSync(open, 'utf8');
  } finally {
    closeSync(open);
  }
}

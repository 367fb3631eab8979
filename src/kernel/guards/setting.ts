import type { Context } from '../context.ts';
import type { Setting } from '../event.ts';
import { judged, type Verdict } from '../verdict.ts';

/** A value pinned when the item was opened. */
export interface SettingGuard {
  readonly guard: 'setting';
  readonly name: string;
  readonly is: Setting;
}

export const setting = (name: string, is: Setting): SettingGuard => ({ guard: 'setting', name, is });

export function checkSetting({ guard, name, is }: SettingGuard, { item }: Context): Verdict {
  const value = item.settings[name];
  return judged(
    guard,
    value === is,
    `${name} is ${String(value)} for this item`,
    `settings are pinned when an item is opened`,
  );
}

import { type FSWatcher, watch } from 'node:fs';

/** Rings once when something happens in the folder of a run. */
export interface Alarm {
  /** True when it will ring; false where the system has no more room for such a watch. */
  set(ring: () => void): boolean;
  clear(): void;
}

/** Where nothing happens nobody has to look. What the watcher itself writes there is not told. */
export function alarmOf(folder: string): Alarm {
  let watcher: FSWatcher | undefined;
  const clear = () => {
    watcher?.close();
    watcher = undefined;
  };
  return {
    clear,
    set(ring) {
      if (watcher !== undefined) return true;
      try {
        watcher = watch(folder, (_, name) => {
          if (name?.startsWith('beat.json')) return;
          clear();
          ring();
        });
        watcher.on('error', clear);
        return true;
      } catch {
        return false;
      }
    },
  };
}

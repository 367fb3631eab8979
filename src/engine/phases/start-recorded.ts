import { setTimeout as wait } from 'node:timers/promises';
import type { Opened } from '../composition.ts';
import { type Handle, loadById } from '../handle.ts';
import { attendTo } from './attend.ts';
import { isWaiting } from './spawn-job.ts';

const TRIES = 100;
const PAUSE_MS = 100;

/**
 * The run of an agent that speaks already, when its start is on record: an agent can be faster than whoever started it. Where
 * that one died meanwhile, it is recorded now.
 */
export async function startRecorded(opened: Opened, run: Handle): Promise<Handle> {
  let now = run;
  for (let n = 0; n < TRIES && isWaiting(now); n++) {
    await attendTo(opened, now);
    now = await loadById(opened.ports, run.id);
    if (isWaiting(now)) await wait(PAUSE_MS);
  }
  return now;
}

import { closeSync, readFileSync } from 'node:fs';
import type { WatchOrder } from './agents/launch.ts';
import { watch } from './agents/watch.ts';

/** countersign-watch: one run of a coding agent. The order comes on stdin; closing stdout says that the child runs, or will not. */
async function main(): Promise<void> {
  const told = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A terminal that is closed is no reason.
      if (signal !== 'SIGHUP') told.abort();
    });
  }
  // Cut short when whoever launched was killed: then nothing was started, and the run is found lost.
  const { spec, mark, sealKey } = JSON.parse(readFileSync(0, 'utf8')) as WatchOrder;
  await watch(spec, mark, { ready: () => closeSync(1), told: told.signal, sealKey });
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);

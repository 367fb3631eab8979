// A process of its own that takes one step of an item's life and kills itself at one call to the outside. It prints
// the name of the call right before it dies, and `done` when it lived to see the answer.
import { writeSync } from 'node:fs';
import { compose } from '../../src/compose.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { type When, watch } from './faults.ts';
import { OPERATIONS } from './life.ts';

const [top = '', name = '', id = '', at = '', when = ''] = process.argv.slice(2);
const operation = OPERATIONS.find((o) => o.name === name);
if (operation === undefined || (when !== 'before' && when !== 'after')) throw new RangeError('bad usage');

const opened = await compose(top).open();
const caller = await callerOf(opened, '');
const { ports } = watch(opened.ports, { at: Number(at), when: when satisfies When, strike: die });
const outcome = await operation.run({ ...opened, ports, caller }, id);
await opened.ports.store.close();
writeSync(1, outcome.kind === 'done' ? 'done\n' : `refused: ${outcome.because}\n`);

function die(call: string): never {
  writeSync(1, `${call}\n`);
  process.kill(process.pid, 'SIGKILL');
  // The signal ends the process before this line does.
  throw new Error('still alive');
}

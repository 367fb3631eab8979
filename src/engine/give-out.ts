import { decide } from '../kernel/decide.ts';
import { opens } from '../kernel/verdict.ts';
import type { Caller } from './caller.ts';
import { readConfig } from './config.ts';
import { type Draft, touch } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { gatherFor } from './gather/index.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';
import { STEP } from './step.ts';
import { readWorld } from './world.ts';

/**
 * Gives a task to a builder in the write that opens it. Throws BAD_INPUT where they cannot take it: then nothing is
 * written, and there is no task.
 */
export async function giveOutIn(
  ports: Ports,
  caller: Caller,
  write: Draft,
  opened: Handle,
  to: string,
): Promise<void> {
  const handle = write.touched.get(opened.id)?.handle ?? opened;
  const { protocol, item } = handle;
  const given = { to };
  const request = { ...STEP, ref: handle.id, command: 'assign', arguments: given };
  const look = { ports, caller, handle, request, config: () => readConfig(ports), warnings: [] };
  const { actor, proof } = caller;
  const command = {
    id: write.commandId,
    name: 'assign',
    actor,
    at: write.at,
    reason: '',
    arguments: given,
    proof,
  };
  const { world, readSet } = await readWorld(ports, protocol, item.list);
  const decision = decide(protocol, item, command, world, await gatherFor(look));
  if (decision.kind === 'refused') {
    const closed = decision.verdicts.filter((verdict) => !opens(verdict));
    const because = closed.map((verdict) => verdict.because).join('; ') || decision.because;
    const hint = closed.map(({ fix }) => fix).find((fix) => fix !== '') ?? '';
    throw new EngineError('BAD_INPUT', `${because}: the task was not created`, hint);
  }
  write.readSet.push(...readSet);
  touch(write, handle, decision.events);
}

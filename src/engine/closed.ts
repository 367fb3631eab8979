import { NOTHING_GATHERED } from '../kernel/command.ts';
import { judge } from '../kernel/guards/index.ts';
import { opens } from '../kernel/verdict.ts';
import type { Handle } from './handle.ts';

const NOBODY = { id: 'engine', kind: 'system' as const, roles: [], ancestors: [] };
const command = { id: '', name: '', actor: NOBODY, at: '', reason: '', arguments: {}, proof: undefined };
const world = { roster: [], groups: {} };

/** Closed although its state is not final, as the protocol defines it: a function of the fold alone, so that rows can be computed again. */
export function countsAsClosed({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): boolean {
  const { counters, closed } = protocol;
  const context = { counters, item, command, world, gathered: NOTHING_GATHERED };
  return closed.length > 0 && closed.every((guard) => opens(judge(guard, context)));
}

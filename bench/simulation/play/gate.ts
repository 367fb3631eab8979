import type { Handle } from '../../../src/engine/handle.ts';

/** Whether the command is for the runner to decide, so that it is asked for by `verify`. */
export const isGate = ({ protocol, item }: Pick<Handle, 'protocol' | 'item'>, command: string): boolean =>
  protocol.gates.some((gate) => gate.in === item.state && [gate.pass, gate.fail].includes(command));

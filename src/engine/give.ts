import { record } from '../kernel/record.ts';
import type { Caller } from './caller.ts';
import { type Outcome, plain, walk } from './execute.ts';
import type { StepRequest } from './gather/looked.ts';
import type { Ports } from './ports.ts';

/** Records a word that a protocol lets some role give beside its steps, with its reason; who may give it, and where, is the protocol's to say. */
export function give(
  ports: Ports,
  caller: Caller,
  { ref, command: name, reason }: Pick<StepRequest, 'ref' | 'command' | 'reason'>,
): Promise<Outcome> {
  return walk(ports, caller, {
    ...plain,
    ...{ ref, name, reason },
    decide: ({ protocol, item }, world, command) => {
      if (reason.trim() === '')
        return { kind: 'refused', code: 'bad-arguments', because: `${name} needs reason`, verdicts: [] };
      const outcome = protocol.evidence.find((row) => row.kind === name)?.outcomes[0] ?? '';
      const finding = { kind: name, outcome, facts: { reason }, asker: caller.actor };
      return record(protocol, item, command, finding, world);
    },
  });
}

import type { Facts } from '../kernel/event.ts';
import { record } from '../kernel/record.ts';
import type { Caller } from './caller.ts';
import { type Outcome, plain, walk } from './execute.ts';
import type { Ports } from './ports.ts';

/** Evidence that an actor gives by word: a look at the failures, a quality verdict. Never a check's result. */
export interface Statement {
  readonly ref: string;
  /** What people call it; the name under which a refusal is recorded. */
  readonly name: string;
  readonly kind: string;
  readonly outcome: string;
  readonly facts: Facts;
  /** Digest of what a person was shown before saying it; '' where none was asked. */
  readonly shown: string;
}

/** Records what the protocol lets this actor say about the present subject (2PC-23, 2PC-24). */
export function state(ports: Ports, caller: Caller, statement: Statement): Promise<Outcome> {
  const { ref, name, kind, outcome, facts, shown } = statement;
  return walk(ports, caller, {
    ...plain,
    ref,
    name,
    confirms: () => shown,
    decide: (handle, world, command) =>
      record(handle.protocol, handle.item, command, { kind, outcome, facts, asker: caller.actor }, world),
  });
}

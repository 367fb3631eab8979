import type { Body } from './body.ts';
import type { Findings } from './findings.ts';

interface Holding {
  readonly session: string;
}

/** Follows who holds what: a lease is taken when nobody has it, and told or ended for whoever has it (CP-44, PROTO-53). */
export function checkLeases(findings: Findings) {
  const held = new Map<string, Holding>();
  return (id: string, event: Body['event'], where: string): void => {
    const { type, session } = event;
    const holder = held.get(id)?.session;
    if (type === 'lease-taken') {
      if (holder !== undefined) findings.broken(where, `it was taken while session ${holder} held it`);
      held.set(id, { session: String(session) });
      return;
    }
    if (holder !== session)
      findings.broken(where, `session ${String(session)} did not hold it: ${holder ?? 'nobody'} did`);
    if (type !== 'lease-released') return;
    held.delete(id);
    if (event.forced === true && event.proof === '')
      findings.broken(where, 'it was taken away without the word of a person');
  };
}

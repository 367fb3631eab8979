import type { ItemRow } from '../store/store.ts';
import { EngineError } from './engine-error.ts';
import { nowOf, type Ports } from './ports.ts';

/** What needs a look, by what is wrong with it. Read-only, whoever asks (LIFE-106). */
export const ATTENTION = ['stuck', 'escalated', 'failing'] as const;
export type Attention = (typeof ATTENTION)[number];

export interface AttentionQuery {
  readonly what: Attention;
  /** For 'failing': failures in one state, 2 unless asked otherwise (CL-18). */
  readonly atLeast: number;
  readonly limit: number;
}

/**
 * Items past the allowance of their state, under escalation, or failing again and again (LIFE-101 to LIFE-104). Each is
 * one range of an index.
 */
export async function attention(ports: Ports, query: AttentionQuery): Promise<readonly ItemRow[]> {
  const { what, atLeast, limit } = query;
  if (what === 'stuck') return ports.store.overdue(nowOf(ports), limit);
  if (what === 'failing') {
    if (!(atLeast >= 1))
      throw new EngineError('BAD_INPUT', 'failures are counted from 1', 'such as: --failing 2');
    return ports.store.failing(atLeast, limit);
  }
  const asked = { list: undefined, states: [], assignee: undefined, after: 0, limit };
  return ports.store.items({ ...asked, categories: ['ESCALATED'] });
}

const MOST = 10_000;

/** Items in a state of whatever protocol, in order (LIFE-101). */
export const itemsByState = (ports: Ports, state: string): Promise<readonly ItemRow[]> =>
  ports.store.items({
    ...{ list: undefined, states: [state], categories: [], assignee: undefined, after: 0 },
    limit: MOST,
  });

/** Items past the allowance of their state (LIFE-102). */
export const itemsExceedingTimeout = (ports: Ports): Promise<readonly ItemRow[]> =>
  attention(ports, { what: 'stuck', atLeast: 0, limit: MOST });

/** Items that wait for the CTO, and nothing that waits for a person (LIFE-103, CL-17). */
export const itemsUnderCtoReview = (ports: Ports): Promise<readonly ItemRow[]> =>
  itemsByState(ports, 'cto_intervention');

/** Items that wait for a person (CL-17). */
export const itemsAwaitingHuman = (ports: Ports): Promise<readonly ItemRow[]> =>
  itemsByState(ports, 'human_escalation');

/** Items that failed so often in one state (LIFE-104). */
export const itemsWithMultipleFailures = (ports: Ports, atLeast = 2): Promise<readonly ItemRow[]> =>
  attention(ports, { what: 'failing', atLeast, limit: MOST });

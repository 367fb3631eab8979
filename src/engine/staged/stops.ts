import { EngineError } from '../engine-error.ts';

/** Why a task may be stopped before a person was asked at a checkpoint (PROTO-40 to PROTO-42). */
export const LEGITIMATE = {
  'technical-blocker':
    'something that the work needs is not there: an external service, a credential, a defined requirement',
  ambiguity: 'two requirements contradict each other and only a person can settle it',
  'scope-changed': 'the task was changed from outside while it was worked on',
} as const;
export type StopReason = keyof typeof LEGITIMATE;

/** What is no reason, and what is told instead (PROTO-36 to PROTO-39). */
const NO_REASON: { readonly [reason: string]: string } = {
  time: 'that it may take long is no reason to stop',
  complexity:
    'that it is complex is no reason to stop; what truly cannot be done is a technical-blocker, with evidence',
  tokens: 'the use of tokens is never a reason to stop',
  'ask-first': 'wanting to ask first is no reason to stop: a person is asked at the checkpoints',
};

/** Throws BAD_INPUT for what is no reason to stop, or is not shown. */
export function assertStop(reason: string, evidence: readonly string[]): StopReason {
  const known = Object.keys(LEGITIMATE) as readonly StopReason[];
  const found = known.find((name) => name === reason);
  if (found === undefined)
    throw new EngineError(
      'BAD_INPUT',
      NO_REASON[reason] ?? `there is no reason ${reason}`,
      `go on with the task; it may be stopped for: ${known.join(', ')}`,
    );
  const needed = found === 'ambiguity' ? 2 : found === 'technical-blocker' ? 1 : 0;
  const said = evidence.filter((text) => text.trim() !== '').length;
  if (said >= needed) return found;
  throw new EngineError(
    'BAD_INPUT',
    found === 'ambiguity'
      ? 'ambiguity needs both requirements, quoted'
      : 'a technical blocker needs evidence of it',
    found === 'ambiguity' ? 'name each with --evidence TEXT' : 'name it with --evidence TEXT',
  );
}

import { expect } from 'vitest';
import { type Answered, talk } from '../mcp/in-memory.ts';
import { LEAD, type Stage } from './stage.ts';

type Input = Readonly<Record<string, unknown>>;

/** What every tool of the profile answers. */
export interface Standing {
  readonly success: boolean;
  readonly guidance: {
    readonly status: string;
    readonly action: string;
    readonly blocked_reason: readonly string[] | null;
    readonly escalated: boolean;
  };
  readonly review: { readonly [field: string]: unknown } | null;
  readonly error?: string;
  readonly error_code?: string;
  readonly [more: string]: unknown;
}

/** Somebody who works by the tools of the seed, offered all of them. */
export interface Hand {
  call(tool: string, input: Input): Promise<Answered>;
  /** A call that has to be taken. */
  does(tool: string, phase: string, more?: Input): Promise<Standing>;
  /** A call that has to be refused, with these words first; not a byte of the phase changes by it. */
  refused(tool: string, phase: string, words: string, more?: Input): Promise<Standing>;
  close(): Promise<void>;
}

export async function handOf(stage: Stage, actor = LEAD): Promise<Hand> {
  const { call, close } = await talk(stage.s, actor, 'phases', true);
  const standing = ({ data }: Answered) => data as unknown as Standing;
  return {
    call,
    close,
    async does(tool, phase, more = {}) {
      const answer = await call(tool, { phase_id: phase, ...more });
      expect([tool, answer.isError ? answer.text : '']).toEqual([tool, '']);
      return standing(answer);
    },
    async refused(tool, phase, words, more = {}) {
      const before = await stage.s.snapshot(phase);
      const answer = await call(tool, { phase_id: phase, ...more });
      expect([tool, answer.isError, standing(answer).success]).toEqual([tool, true, false]);
      expect(standing(answer).error).toMatch(new RegExp(`^${words}`));
      expect(await stage.s.snapshot(phase)).toBe(before);
      return standing(answer);
    },
  };
}

/** Arguments of a deployment. */
export const ORDER = { prompt: 'Build it' };
/** A person's override, as somebody who is none would say it. */
export const FORCE = { force_escalated: true, reason: 'the work is complete' };

export const NOT_APPROVED = 'PHASE_NOT_APPROVED: Cannot advance phase';
export const NO_REJECTION = 'BLOCKED: Manual rejection is not allowed';
export const IN_REVIEW = 'BLOCKED: This phase has an auto-review in progress';

/** How a phase came to its states: `FROM>TO command by`. */
export async function waysOf(stage: Stage, phase: string): Promise<readonly string[]> {
  return (await stage.s.events(phase)).flatMap((event) =>
    event.type === 'moved' ? [`${event.from}>${event.to} ${event.command} by ${event.by}`] : [],
  );
}

import type { Evidence } from '../../kernel/evidence.ts';
import type { Handle } from '../handle.ts';

export type Mode = 'requirements' | 'synthesis' | 'implementation' | 'review';

/** What an agent is called for in a state (PROTO-20). */
export function modeIn(state: string): Mode {
  if (state === 'SYNTHESIS') return 'synthesis';
  if (state === 'IMPLEMENTATION') return 'implementation';
  return state === 'REVIEW' ? 'review' : 'requirements';
}

/** The kind of evidence by which an agent says how it stands. */
export const wordOf = (mode: Mode): string => (mode === 'synthesis' ? 'requirements' : mode);

/** One call of an agent, with what came of it (PROTO-266, CP-40, CP-41). */
export interface Invocation {
  /** Position of its step in the log of the item, 1-based: two calls are never the same. */
  readonly id: number;
  readonly agent: string;
  readonly mode: Mode;
  readonly at: string;
  readonly cwd: string;
  readonly status: 'running' | 'completed' | 'failed' | 'superseded';
  readonly completedAt: string;
  readonly error: string;
  readonly report: string;
  /** Made since the state was entered last, and in the present round. */
  readonly isCurrent: boolean;
}

/** Words with which a call has come to its end. */
export const DONE: readonly string[] = ['COMPLETE', 'APPROVED', 'REJECTED'];

/** Every call of an agent, the oldest first. One that was made again before it ended, or whose agent is none of the task any more, is superseded. */
export function invocationsOf({ item }: Pick<Handle, 'item'>): readonly Invocation[] {
  const calls = item.steps.flatMap((step, n) =>
    step.command === 'invoke'
      ? [{ step, id: n + 1, agent: step.arguments.agent ?? '', mode: modeIn(step.from) }]
      : [],
  );
  const entered = item.steps.findLastIndex(
    ({ from, to, command }) => from !== to || command === 'next-round',
  );
  return calls.map(({ step, id, agent, mode }) => {
    const later = calls.find((call) => call.id > id && call.agent === agent && call.mode === mode);
    const until = later?.step.at ?? '9';
    const said = item.evidence.filter(
      (e) => e.kind === wordOf(mode) && e.by === agent && e.at >= step.at && e.at < until,
    );
    const word = said.at(-1);
    const isOver = later !== undefined || !(item.marks.agent ?? []).includes(agent);
    const status = statusOf(word, isOver);
    return {
      id,
      agent,
      mode,
      status,
      at: step.at,
      cwd: String(step.facts.cwd ?? ''),
      completedAt: status === 'completed' || status === 'failed' ? (word?.at ?? '') : '',
      error: word?.outcome === 'ERROR' ? String(word.facts.reason ?? 'Unknown error') : '',
      report: String(word?.facts.report_path ?? ''),
      isCurrent: id - 1 > entered,
    };
  });
}

function statusOf(word: Evidence | undefined, isOver: boolean): Invocation['status'] {
  if (word !== undefined && DONE.includes(word.outcome)) return 'completed';
  if (isOver) return 'superseded';
  return word?.outcome === 'ERROR' ? 'failed' : 'running';
}

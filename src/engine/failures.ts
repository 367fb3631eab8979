import type { Facts } from '../kernel/event.ts';
import type { Step, WorkItem } from '../kernel/work-item.ts';
import type { Handle } from './handle.ts';

/** A failure or rejection, kept whatever becomes of the counts (LIFE-110). */
export interface Failure {
  /** Where it failed. */
  readonly state: string;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** The n-th there in the life of the item; it never falls. */
  readonly number: number;
  /** Files that show it: the proof pack of the run, or what was named with the report. */
  readonly evidence: readonly string[];
}

const REJECTS = new Set(['fail', 'reject', 'reject-verification', 'reject-goal', 'block', 'reopen']);

/** Whether a step says that something did not hold. */
export const isFailure = ({ command }: Pick<Step, 'command'>): boolean => REJECTS.has(command);

/** Every failure so far in the order of the log, also those whose count was reset. */
export function failuresIn({ item }: Pick<Handle, 'item'>): readonly Failure[] {
  const numbers = new Map<string, number>();
  return item.steps.flatMap((step, n) => {
    if (!isFailure(step)) return [];
    const state = originOf(item.steps, n);
    const number = (numbers.get(state) ?? 0) + 1;
    numbers.set(state, number);
    const { by, at, reason } = step;
    return [{ state, by, at, reason, number, evidence: evidenceOf(item, step) }];
  });
}

/** How often an item failed where, in all its life: beside the counts, which are reset. */
export function failuresEver(handle: Pick<Handle, 'item'>): { readonly [state: string]: number } {
  return Object.fromEntries(failuresIn(handle).map(({ state, number }) => [state, number]));
}

/** The state in which a step was taken: before the hop that its row wrote on the way, where it wrote one. */
export function originOf(steps: readonly Step[], n: number): string {
  const [step, before] = [steps[n], steps[n - 1]];
  return before?.command === '' && before.to === step?.from ? before.from : (step?.from ?? '');
}

function evidenceOf({ evidence }: WorkItem, { at, facts }: Step): readonly string[] {
  const run = evidence.find((e) => e.kind === 'proof-pack' && e.outcome !== 'PASSED' && e.at === at);
  return [...(run === undefined ? [] : [String(run.facts.proofpack ?? '')]), ...filesIn(facts)];
}

function filesIn({ evidence }: Facts): readonly string[] {
  if (!Array.isArray(evidence)) return [];
  return evidence.map((file: { readonly path?: string }) => String(file.path ?? ''));
}

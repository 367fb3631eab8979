import { expand } from '../../kernel/protocol.ts';
import { type Gatherer, lacking, seen } from '../gather/looked.ts';
import type { Handle } from '../handle.ts';
import { DONE, invocationsOf, wordOf } from './invocations.ts';

type Logged = Pick<Handle, 'protocol' | 'item'>;

const NEEDED = [
  ['INIT', 'CLASSIFIED'],
  ['CLASSIFIED', 'REQUIREMENTS'],
] as const;

type Move = (typeof NEEDED)[number];

/** The moves that have to lie behind a task in this state: of those that are still to come none is missing. */
export const movesBefore = (state: string): readonly Move[] =>
  NEEDED.slice(0, state === 'INIT' || state === 'CANCELLED' ? 0 : state === 'CLASSIFIED' ? 1 : undefined);

/** What is wrong with the log of a task: a stage that is not in it, or a step that does not follow; '' where nothing is (CP-34, PROTO-225). */
export function chainProblem({ protocol, item }: Logged, needed: readonly Move[] = NEEDED): string {
  const missing = needed.filter(
    ([from, to]) => !item.steps.some((step) => step.from === from && step.to === to),
  );
  if (missing.length > 0) return `the log lacks ${missing.map((pair) => pair.join(' to ')).join(', ')}`;
  let at = protocol.initial;
  for (const { from, to, command } of item.steps) {
    const isKnown = protocol.rows.some(
      (row) => row.command === command && expand(protocol, row.from).includes(from),
    );
    if (from !== at || !isKnown) return `${from} to ${to} does not follow ${at}`;
    at = to;
  }
  return '';
}

/** Who was called only after another had come to its end, where all could have been called at once (PROTO-182). */
export function calledInTurn(handle: Pick<Handle, 'item'>): readonly string[] {
  const { item } = handle;
  const calls = invocationsOf(handle).filter(({ mode }) => mode === 'requirements');
  const first = calls.filter(({ agent, id }) => !calls.some((c) => c.agent === agent && c.id < id));
  const ended = item.evidence.filter(
    ({ kind, outcome }) => kind === wordOf('requirements') && DONE.includes(outcome),
  );
  return first
    .filter((call) => ended.some(({ by, at }) => by !== call.agent && at < call.at))
    .map(({ agent }) => agent);
}

/** Every step began where the one before it ended, and is one that the table knows (CP-34, PROTO-225). */
export const logChain: Gatherer = ({ handle, warnings }) => {
  const late = calledInTurn(handle);
  if (late.length > 0)
    warnings.push(`${late.join(', ')}: called one by one, when the agents could work at the same time`);
  const problem = chainProblem(handle);
  const found = problem === '' ? seen('no stage was skipped') : lacking(problem, 'protocol error: escalate');
  return { probes: { 'log-chain': found } };
};

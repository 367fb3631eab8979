import { loadById } from '../../src/engine/handle.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { projectChanges } from '../../src/engine/project.ts';
import {
  addItems,
  type Bench,
  type BenchSession,
  benchRepository,
  sessionOf,
} from '../scratch/repository.ts';
import { type FaultPlan, InjectedFault, type When, watch } from './faults.ts';
import { type Operation, PROJECTING, prepare } from './life.ts';
import { unsoundness } from './soundness.ts';

/** Stands for a call that was never made, in the result of an operation that went wrong all the same. */
export const NO_CALL = 'none';

/** One place where an operation was made to fail, and what was wrong afterwards. */
export interface PointResult {
  readonly operation: string;
  readonly call: string;
  readonly when: When;
  readonly how: 'throw' | 'kill';
  readonly problems: readonly string[];
}

/** One call of an operation on an item that stands right before it. */
export interface Struck {
  readonly bench: Bench;
  readonly operation: Operation;
  readonly id: string;
  readonly at: number;
  readonly when: When;
}

/** A new item that stands right before the operation. */
async function preparedItem(bench: Bench, operation: Operation): Promise<string> {
  const session = await sessionOf(bench);
  try {
    const [id = ''] = await addItems(session, 1);
    await prepare(session, id, operation);
    return id;
  } finally {
    await session.ports.store.close();
  }
}

/**
 * Every call of an operation, one after the other, until one more is not made; both before and after its work. Each in
 * one repository as it was at first, so that the calls are the same ones and no damage is found twice.
 */
export async function* everyPoint(
  operation: Operation,
  strike: (place: Struck) => Promise<PointResult | undefined>,
): AsyncGenerator<PointResult> {
  const bench = await benchRepository(PROJECTING);
  const id = await preparedItem(bench, operation);
  const kept = bench.repository.keep();
  try {
    for (const when of ['before', 'after'] as const) {
      for (let at = 0; ; at++) {
        kept.restore();
        const result = await strike({ bench, operation, id, at, when });
        if (result === undefined) break;
        yield result;
        if (result.call === NO_CALL) break;
      }
    }
  } finally {
    kept.remove();
    bench.remove();
  }
}

/** Makes one call throw, as if the process had ended there of an error; undefined when the operation made no such call. */
export async function throwAt({ bench, operation, id, at, when }: Struck): Promise<PointResult | undefined> {
  const met = { call: '' };
  const ghost = `gone:1:${id}`;
  const session = await faultySession(bench, ghost, { at, when }, (call) => {
    met.call = call;
    throw new InjectedFault(`${call} failed ${when} its work`);
  });
  let acknowledged = false;
  try {
    acknowledged = (await operation.run(session, id)).kind === 'done';
  } catch (error) {
    if (!(error instanceof InjectedFault)) throw error;
  } finally {
    await session.ports.store.close();
  }
  const problems = await afterwards(bench, operation, id, ghost, acknowledged);
  if (met.call === '')
    return problems.length === 0 ? undefined : pointOf(operation, NO_CALL, when, 'throw', problems);
  return pointOf(operation, met.call, when, 'throw', problems);
}

export function pointOf(
  { name: operation }: Operation,
  call: string,
  when: When,
  how: PointResult['how'],
  problems: readonly string[],
): PointResult {
  return { operation, call, when, how, problems };
}

/** A session whose process is known as `owner`, with one call that fails. */
async function faultySession(
  bench: Bench,
  owner: string,
  place: { readonly at: number; readonly when: When },
  strike: FaultPlan['strike'],
): Promise<BenchSession> {
  // Who opens the session makes calls as well; only those of the operation count.
  const session = await sessionOf(bench);
  const process: Ports['process'] = { owner, isAlive: (other) => session.ports.process.isAlive(other) };
  const { ports } = watch({ ...session.ports, process }, { ...place, strike });
  return { ...session, ports };
}

/** What is wrong after a fault: in the store, with what was acknowledged, and with another try. */
export async function afterwards(
  bench: Bench,
  operation: Operation,
  id: string,
  ghost: string,
  acknowledged: boolean,
): Promise<readonly string[]> {
  const session = await sessionOf(bench, { wrap: (ports) => withoutGhost(ports, ghost) });
  try {
    const problems = [...(await unsoundness(session.ports))];
    const { state } = (await loadById(session.ports, id)).item;
    if (state !== operation.from && state !== operation.to) problems.push(`the item is ${state}`);
    if (acknowledged && state !== operation.to) problems.push('it was acknowledged and is lost');
    if (state === operation.from) problems.push(...(await again(session, operation, id)));
    // What the next command of anybody does; it must not take the interrupted one for an edit.
    await projectChanges(session);
    problems.push(...(await unsoundness(session.ports)));
    const steps = (await loadById(session.ports, id)).item.steps.filter((s) => s.command === operation.name);
    if (steps.length !== 1) problems.push(`it happened ${steps.length} times`);
    return problems;
  } finally {
    await session.ports.store.close();
  }
}

async function again(session: BenchSession, operation: Operation, id: string): Promise<readonly string[]> {
  const outcome = await operation.run(session, id);
  if (outcome.kind !== 'done') return [`another try was refused: ${outcome.because}`];
  const { state } = (await loadById(session.ports, id)).item;
  return [
    ...(state === operation.to ? [] : [`another try led to ${state}`]),
    ...(await unsoundness(session.ports)),
  ];
}

/** The owner of a process that ended in this test is dead to those who come after it. */
function withoutGhost(ports: Ports, ghost: string): Ports {
  const { owner, isAlive } = ports.process;
  return { ...ports, process: { owner, isAlive: (other) => other !== ghost && isAlive(other) } };
}

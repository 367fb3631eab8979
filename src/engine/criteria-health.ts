import type { Recorded } from '../kernel/event.ts';
import type { FrozenCriteria } from './criteria.ts';
import { itemStream } from './handle.ts';
import type { Ports } from './ports.ts';
import { eventOf } from './stored.ts';

/** How one check of some criteria has ended so far. */
export interface CheckHealth {
  /** Path of the criteria file. */
  readonly criteria: string;
  readonly id: string;
  readonly passed: number;
  readonly failed: number;
  /** Could not be told. */
  readonly open: number;
  /** ISO 8601 UTC of the last failure, '' for none. */
  readonly lastFailed: string;
  /** True for a check that passed or stayed open in every one of at least `threshold` runs. */
  readonly neverFailed: boolean;
}

const PAGE = 500;
const RUNS = ['proof-pack', 'inconclusive'];

/** Counts the verifications in the log, by check. A view: it decides nothing and does not check the chain. */
export async function criteriaHealth(
  ports: Pick<Ports, 'store'>,
  threshold: number,
): Promise<{ readonly runs: number; readonly checks: readonly CheckHealth[] }> {
  const counts = new Map<string, CheckHealth>();
  let runs = 0;
  for await (const run of recordedRuns(ports)) {
    runs += 1;
    for (const check of run.checks) count(counts, run, check);
  }
  const checks = [...counts.values()].map((health) => ({
    ...health,
    neverFailed: health.failed === 0 && health.passed + health.open >= threshold,
  }));
  return { runs, checks: checks.sort((a, b) => order(a, b)) };
}

const order = (a: CheckHealth, b: CheckHealth) =>
  a.criteria === b.criteria ? (a.id < b.id ? -1 : 1) : a.criteria < b.criteria ? -1 : 1;

interface RunChecks {
  readonly at: string;
  readonly criteria: string;
  readonly checks: readonly { readonly id: string; readonly outcome: string }[];
}

async function* recordedRuns({ store }: Pick<Ports, 'store'>): AsyncGenerator<RunChecks> {
  const everything = { list: undefined, states: [], categories: [], assignee: undefined, limit: PAGE };
  for (let after = 0; ; ) {
    const rows = await store.items({ ...everything, after });
    for (const { id } of rows)
      for (const stored of await store.read(itemStream(id))) {
        const event = eventOf<Recorded>(stored);
        if (event.type === 'recorded' && RUNS.includes(event.kind)) yield runOf(event);
      }
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = last.number;
  }
}

const runOf = ({ at, facts }: Recorded): RunChecks => ({
  at,
  criteria: String((facts.criteria as unknown as FrozenCriteria | undefined)?.path ?? ''),
  checks: Array.isArray(facts.checks) ? (facts.checks as unknown as RunChecks['checks']) : [],
});

function count(
  counts: Map<string, CheckHealth>,
  { at, criteria }: RunChecks,
  { id, outcome }: RunChecks['checks'][number],
): void {
  const key = JSON.stringify([criteria, id]);
  const none = { criteria, id, passed: 0, failed: 0, open: 0, lastFailed: '', neverFailed: false };
  const before = counts.get(key) ?? none;
  const failed = outcome === 'fail';
  counts.set(key, {
    ...before,
    passed: before.passed + (outcome === 'pass' ? 1 : 0),
    failed: before.failed + (failed ? 1 : 0),
    open: before.open + (outcome === 'indeterminate' ? 1 : 0),
    lastFailed: failed && at > before.lastFailed ? at : before.lastFailed,
  });
}

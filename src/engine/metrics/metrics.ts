import type { ItemEvent } from '../../kernel/event.ts';
import type { StoredEvent } from '../../store/store.ts';
import { itemStream } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { protocolOf } from '../protocols.ts';
import { type RefusalEvent, refusalStream } from '../refuse.ts';
import { eventOf } from '../stored.ts';
import { type Counts, countFor, type Family, noCounts } from './counts.ts';
import { begun, type Running, tally } from './item-tally.ts';

/** How often claims did not hold, for one agent under one protocol. */
export interface ClaimRate {
  readonly protocol: string;
  readonly agent: string;
  readonly claims: number;
  readonly passed: number;
  readonly refused: number;
  readonly inconclusive: number;
  /** `refused / (passed + refused)`, null where nothing was judged. */
  readonly false_claim_rate: number | null;
}

/** The figures of a store, each defined in docs/metrics.md. Times are minutes. */
export interface Metrics {
  readonly claims: readonly ClaimRate[];
  readonly protocols: readonly {
    readonly protocol: string;
    readonly completions: number;
    /** Passes that were taken back: a reopening, a rejected goal, a regression, a rejection of quality (2PC-90). */
    readonly verifier_misses: number;
    readonly false_completion_rate: number | null;
    readonly rejections_after_verification: number;
    readonly rework_rounds: number;
    readonly independence: { readonly [level: string]: number };
  }[];
  readonly states: readonly {
    readonly protocol: string;
    readonly state: string;
    readonly stays: number;
    readonly minutes: number;
    readonly mean_minutes: number;
  }[];
  /** Failures by state and agent (LIFE-111). */
  readonly failures: readonly { readonly state: string; readonly agent: string; readonly failures: number }[];
  readonly refusals: readonly { readonly code: string; readonly agent: string; readonly refusals: number }[];
}

const PAGE = 2_000;

/** Counts everything from the log, in one pass over it. Memory grows with the items, not with their events. */
export async function countAll(ports: Pick<Ports, 'store'>): Promise<Counts> {
  const counts = noCounts();
  const items = new Map<string, Running>();
  for (let after = 0; ; ) {
    const page = await ports.store.events(after, PAGE);
    for (const stored of page) await count(ports, counts, items, stored);
    after = page.at(-1)?.position ?? after;
    if (page.length < PAGE) return counts;
  }
}

async function count(
  ports: Pick<Ports, 'store'>,
  counts: Counts,
  items: Map<string, Running>,
  stored: StoredEvent,
): Promise<void> {
  if (stored.stream.startsWith(refusalStream(''))) {
    const { code, by } = eventOf<RefusalEvent>(stored);
    countFor(counts.refusals, { code, agent: by }, 1);
  }
  if (!stored.stream.startsWith(itemStream(''))) return;
  const event = eventOf<ItemEvent>(stored);
  if (event.type === 'opened') {
    const protocol = await protocolOf(ports, event.protocol);
    counts.seen.protocols.set(protocol.name, protocol);
    items.set(stored.stream, begun(protocol, event));
    return;
  }
  const running = items.get(stored.stream);
  if (running !== undefined) tally(counts, running, event);
}

/** The same as rates and sums. */
export function metricsOf(counts: Counts): Metrics {
  const value = (family: Family, labels: object) => family.get(JSON.stringify(labels))?.value ?? 0;
  const distinct = (...families: readonly Family[]) => [
    ...new Map(families.flatMap((f) => [...f].map(([key, { labels }]) => [key, labels] as const))).values(),
  ];
  const protocols = [
    ...new Set(distinct(counts.claims, counts.completions, counts.staysInState).map((l) => l.protocol ?? '')),
  ];
  return {
    claims: distinct(counts.claims).map(({ protocol = '', agent = '' }) => {
      const labels = { protocol, agent };
      const passed = value(counts.passed, labels);
      const refused = value(counts.refusedClaims, labels);
      const rate = passed + refused === 0 ? null : refused / (passed + refused);
      const inconclusive = value(counts.inconclusive, labels);
      return {
        ...labels,
        claims: value(counts.claims, labels),
        passed,
        refused,
        inconclusive,
        false_claim_rate: rate,
      };
    }),
    protocols: protocols.map((protocol) => {
      const completions = value(counts.completions, { protocol });
      const misses = value(counts.misses, { protocol });
      const levels = [...counts.independence.values()].filter(({ labels }) => labels.protocol === protocol);
      return {
        protocol,
        completions,
        verifier_misses: misses,
        false_completion_rate: completions === 0 ? null : misses / completions,
        rejections_after_verification: value(counts.rejectedAfter, { protocol }),
        rework_rounds: value(counts.reworkRounds, { protocol }),
        independence: Object.fromEntries(levels.map(({ labels, value: n }) => [labels.level ?? '', n])),
      };
    }),
    states: [...counts.staysInState.values()].map(({ labels, value: stays }) => {
      const { protocol = '', state = '' } = labels;
      const minutes = value(counts.minutesInState, { protocol, state });
      return { protocol, state, stays, minutes, mean_minutes: minutes / stays };
    }),
    failures: [...counts.failures.values()].map(
      ({ labels: { state = '', agent = '' }, value: failures }) => ({
        ...{ state, agent, failures },
      }),
    ),
    refusals: [...counts.refusals.values()].map(({ labels: { code = '', agent = '' }, value: refusals }) => ({
      ...{ code, agent, refusals },
    })),
  };
}

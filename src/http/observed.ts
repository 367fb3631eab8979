import type { Opened } from '../engine/composition.ts';

/** Upper bounds of the classes of durations, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const;

/** Counts of this process for Prometheus (text format 0.0.4). */
export interface Observed {
  seen(route: string, status: number, seconds: number): void;
  /** One follower more or less. */
  following(by: 1 | -1): void;
  text(opened: Opened): Promise<string>;
}

export function observed(version: string): Observed {
  const counts = new Map<string, number>();
  const durations = new Map<string, { readonly classes: number[]; sum: number; n: number }>();
  let followers = 0;
  return {
    seen(route, status, seconds) {
      const name = `route="${route}",status="${status}"`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const of = durations.get(route) ?? { classes: BOUNDS.map(() => 0), sum: 0, n: 0 };
      BOUNDS.forEach((bound, i) => {
        if (seconds <= bound) of.classes[i] = (of.classes[i] ?? 0) + 1;
      });
      of.sum += seconds;
      of.n += 1;
      durations.set(route, of);
    },
    following(by) {
      followers += by;
    },
    async text(opened) {
      return [
        ...metric('countersign_build_info', 'gauge', 'the version that answers', [
          [`version="${version}"`, 1],
        ]),
        ...metric('countersign_http_requests_total', 'counter', 'requests answered', [...counts]),
        ...histogram(durations),
        ...metric('countersign_followers', 'gauge', 'open event streams', [['', followers]]),
        ...(await ofStore(opened)),
        '',
      ].join('\n');
    },
  };
}

async function ofStore({ ports }: Opened): Promise<readonly string[]> {
  const [events, tally] = await Promise.all([ports.store.eventCount(), ports.store.tally(undefined)]);
  const items = tally.map(
    ({ protocol, list, state, category, count }) =>
      [
        `protocol="${escaped(protocol)}",list="${escaped(list)}",state="${state}",category="${category}"`,
        count,
      ] as const,
  );
  return [
    ...metric('countersign_events_total', 'counter', 'events in the log', [['', events]]),
    ...metric('countersign_items', 'gauge', 'items by protocol, list and state', summed(items)),
  ];
}

/** Rows that differ only in what is not told are one. */
function summed(rows: readonly (readonly [string, number])[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const [name, n] of rows) sums.set(name, (sums.get(name) ?? 0) + n);
  return [...sums];
}

const escaped = (value: string) => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');

const metric = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: readonly (readonly [string, number])[],
): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`),
];

function histogram(
  durations: ReadonlyMap<string, { readonly classes: readonly number[]; sum: number; n: number }>,
): readonly string[] {
  const name = 'countersign_http_request_duration_seconds';
  const lines = [...durations].flatMap(([route, { classes, sum, n }]) => [
    ...BOUNDS.map((bound, i) => `${name}_bucket{route="${route}",le="${bound}"} ${classes[i] ?? 0}`),
    `${name}_bucket{route="${route}",le="+Inf"} ${n}`,
    `${name}_sum{route="${route}"} ${sum}`,
    `${name}_count{route="${route}"} ${n}`,
  ]);
  return [`# HELP ${name} time to the end of an answer`, `# TYPE ${name} histogram`, ...lines];
}

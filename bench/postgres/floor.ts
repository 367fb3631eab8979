import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planCommits } from '../../src/store/postgres/plan.ts';
import { HEADS } from '../../src/store/postgres/reading.ts';
import { transactionOf } from '../../src/store/postgres/write.ts';
import type { Cluster } from '../../tests/postgres.ts';
import { moveOf } from './load.ts';

// Values that stand for variables of pgbench in the rows of a plan.
const ITEM = '@item';
const NUMBERS = new Map([
  [7_000_000, '(:version)'],
  [7_000_001, '(:next)'],
  [7_000_002, '(:item + 1)'],
]);
const TEXTS = new Map([
  [ITEM, "('item/f-' || :item)"],
  ['@command', "('f-' || :random)"],
  ['@state', "(CASE WHEN (:version)::bigint % 2 = 0 THEN 'A' ELSE 'B' END)"],
]);

interface Floor {
  readonly clients: number;
  readonly one: boolean;
  readonly seconds: number;
}

/**
 * What pgbench makes of the statements of the store: the same texts with the same rows, from a program in C that decides
 * nothing. Transactions a second.
 */
export function floorOf(
  cluster: Cluster,
  url: string,
  schema: string,
  { clients, one, seconds }: Floor,
): number {
  const path = join(cluster.socket, `floor-${one}.sql`);
  writeFileSync(path, scriptOf(schema, one));
  chmodSync(path, 0o644);
  const database = /\/(\w+)\?/.exec(url)?.[1] ?? '';
  const out = cluster.run(
    ...(['pgbench', '-n', '-M', 'prepared', '-f', path, '-c', `${clients}`, '-j', '2'] as const),
    ...['-T', `${seconds}`, '-h', cluster.socket, '-U', 'countersign', database],
  );
  const rate = Number(/tps = ([\d.]+)/.exec(out)?.[1]);
  if (!(rate > 0) || /abort/.test(out)) throw new Error(out);
  return rate;
}

/** On one item the head is read when it is our turn, as pgbench does not begin anew what was overtaken. */
function scriptOf(schema: string, one: boolean): string {
  const [begin = '', turn = '', ...rows] = statements();
  const head = `SELECT coalesce(max(version), 0) AS version, coalesce(max(version), 0) + 1 AS next
    FROM {}.streams WHERE stream = ${TEXTS.get(ITEM)} \\gset`;
  const again = `${HEADS.replace('$1::text[]', `ARRAY[${TEXTS.get(ITEM)}]`)};`;
  const lines = [
    `\\set item ${one ? '0' : ':client_id'}`,
    '\\set random random(1, 1000000000000000)',
    ...(one
      ? [begin, turn, head, again, ...rows]
      : [head, again, '\\startpipeline', begin, turn, ...rows, '\\endpipeline']),
  ];
  return `${lines.join('\n').replaceAll('{}', `"${schema}"`)}\n`;
}

/** The transaction of one move, with variables in the place of its values. */
function statements(): readonly string[] {
  const sample = moveOf({ name: 'f' }, 'c', 0, 7_000_000);
  const row = { ...sample.items[0], id: ITEM, number: 7_000_002, state: '@state', category: '@state' };
  const commit = {
    ...{
      ...sample,
      commandId: '@command',
      appends: sample.appends.map((added) => ({ ...added, stream: ITEM })),
    },
    items: [{ ...row, version: 7_000_001 } as (typeof sample.items)[number]],
  };
  const head = { stream: ITEM, version: 7_000_000, hash: 'a'.repeat(64) };
  const plan = planCommits([commit], {
    ...{ heads: new Map([[ITEM, head]]), jobs: new Map(), commands: new Map(), numbers: new Map() },
    ...{ lastNumber: 0, retried: false },
  });
  return transactionOf(plan).map(({ text, values = [] }) => {
    const filled = text.replace(/\$(\d+)/g, (_, n: string) => literal(values[Number(n) - 1]));
    return `${filled.replaceAll('\n', ' ')};`;
  });
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(', ')}]`;
  if (typeof value === 'number') return NUMBERS.get(value) ?? String(value);
  if (typeof value === 'boolean') return String(value);
  const text = String(value);
  return TEXTS.get(text) ?? `'${text.replaceAll("'", "''")}'`;
}

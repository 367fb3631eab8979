import type { Guard } from '../src/kernel/guards/index.ts';
import type { Protocol } from '../src/kernel/protocol.ts';
import { describe as phrase } from '../src/kernel/show/describe.ts';

/** A table with one guard taken out. */
export interface GuardMutant {
  readonly name: string;
  readonly protocol: Protocol;
}

const without = <T>(list: readonly T[], n: number): readonly T[] => list.filter((_, i) => i !== n);
const short = (guard: Guard) => phrase(guard).split(', or ')[0] ?? '';

/** A table for each guard of each row: the one without it. */
export function guardMutantsOf(protocol: Protocol): readonly GuardMutant[] {
  const rows = protocol.rows.flatMap((row, r) =>
    row.requires.map((guard, g) => ({
      name: `${row.from.join(', ')} ${row.command}: ${short(guard)}`,
      protocol: { ...protocol, rows: protocol.rows.with(r, { ...row, requires: without(row.requires, g) }) },
    })),
  );
  const evidence = protocol.evidence.flatMap((row, r) =>
    row.requires.map((guard, g) => ({
      name: `evidence ${row.kind}: ${short(guard)}`,
      protocol: {
        ...protocol,
        evidence: protocol.evidence.with(r, { ...row, requires: without(row.requires, g) }),
      },
    })),
  );
  return told([...rows, ...evidence]);
}

/** Rows of the same command have guards of the same words: the second is called so. */
function told(mutants: readonly GuardMutant[]): readonly GuardMutant[] {
  const seen = new Map<string, number>();
  return mutants.map(({ name, protocol }) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return { name: n === 1 ? name : `${name} (${n})`, protocol };
  });
}

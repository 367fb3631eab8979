import { GUARD_NAMES, type Guard } from './guards/index.ts';
import { leavesOf, type Reads, readsOf } from './leaves.ts';
import type { Protocol } from './protocol.ts';

/** Marks that something sets: a row, a kind of evidence, or a policy that carries them here. */
export function marksOf(protocol: Protocol, carried: readonly string[]): readonly string[] {
  return [
    ...protocol.rows.flatMap((row) => [row.as, ...Object.keys(row.names)]),
    ...protocol.evidence.map((row) => row.as),
    ...protocol.policies.flatMap((policy) => policy.carry),
    ...carried,
  ].filter((mark) => mark !== '');
}

/** Outcomes that evidence of this kind can have; empty when nothing records it. */
export function outcomesOf(protocol: Protocol, kind: string): readonly string[] {
  const own = protocol.rows.flatMap((row) => row.records.map((record) => record.split(':')));
  return [
    ...protocol.evidence.filter((row) => row.kind === kind).flatMap((row) => row.outcomes),
    ...own.filter(([name]) => name === kind).map(([, outcome]) => outcome ?? ''),
  ];
}

/** What is wrong with guards, wherever they stand: unknown guards, and names that nothing declares or sets. */
export function guardProblems(
  protocol: Protocol,
  guards: readonly Guard[],
  carried: readonly string[],
): readonly string[] {
  const names = leafNames(guards).filter((name) => !(GUARD_NAMES as readonly string[]).includes(name));
  if (names.length > 0) return names.map((name) => `unknown guard ${name}`);
  const leaves = leavesOf(guards);
  return [
    ...leaves.flatMap((leaf) => undeclared(protocol, readsOf([leaf]), carried)),
    ...leaves.flatMap((leaf) => {
      if (leaf.guard === 'evidence' || leaf.guard === 'votes') {
        const legal = outcomesOf(protocol, leaf.kind);
        return legal.length === 0 || legal.includes(leaf.outcome)
          ? []
          : [`a ${leaf.kind} never says ${leaf.outcome}`];
      }
      if (leaf.guard !== 'setting') return [];
      const values = protocol.settings[leaf.name] ?? [];
      return values.length === 0 || values.includes(leaf.is)
        ? []
        : [`${leaf.name} is never ${String(leaf.is)}`];
    }),
  ];
}

/** Names of the guards at the leaves, whatever they are: a written table may hold any. */
function leafNames(guards: readonly Guard[]): readonly string[] {
  return guards.flatMap((guard) => {
    if (guard.guard === 'not') return leafNames([guard.of]);
    if (guard.guard === 'any') return leafNames(guard.of);
    if (guard.guard === 'when') return leafNames([guard.if, guard.require]);
    return [guard.guard];
  });
}

function undeclared(protocol: Protocol, reads: Reads, carried: readonly string[]): readonly string[] {
  const missing = (names: readonly string[], what: string, known: (name: string) => boolean) =>
    names.filter((name) => !known(name)).map((name) => `unknown ${what} ${name}`);
  const marks = marksOf(protocol, carried);
  return [
    ...missing(reads.marks, 'mark', (m) => marks.includes(m)),
    ...missing(reads.kinds, 'evidence', (k) => outcomesOf(protocol, k).length > 0),
    ...missing(reads.groups, 'group', (g) => protocol.groups.includes(g)),
    ...missing(reads.settings, 'setting', (s) => s === 'independence' || Object.hasOwn(protocol.settings, s)),
    ...missing(reads.counters, 'counter', (c) => Object.hasOwn(protocol.counters, c)),
    ...missing(reads.probes, 'probe', (p) => protocol.probes.includes(p)),
    ...missing(reads.states, 'state', (s) => Object.hasOwn(protocol.states, s)),
    ...missing(reads.roles, 'role', (r) => protocol.roles.includes(r)),
    ...missing(reads.subjects, 'subject', (s) => Object.hasOwn(protocol.subjects, s)),
  ];
}

import type { Guard } from './guards/index.ts';

/** A guard that combines no others. */
export type Leaf = Exclude<Guard, { readonly guard: 'not' | 'any' | 'when' }>;

/** The guards below all combinations, in reading order. */
export function leavesOf(guards: readonly Guard[]): readonly Leaf[] {
  return guards.flatMap((guard) => {
    switch (guard.guard) {
      case 'not':
        return leavesOf([guard.of]);
      case 'any':
        return leavesOf(guard.of);
      case 'when':
        return leavesOf([guard.if, guard.require]);
      default:
        return [guard];
    }
  });
}

/** What judging some guards looks at, by name. */
export interface Reads {
  readonly marks: readonly string[];
  readonly kinds: readonly string[];
  readonly groups: readonly string[];
  readonly settings: readonly string[];
  readonly counters: readonly string[];
  readonly probes: readonly string[];
  readonly states: readonly string[];
  readonly roles: readonly string[];
  readonly subjects: readonly string[];
}

const NOTHING: Reads = {
  marks: [],
  kinds: [],
  groups: [],
  settings: [],
  counters: [],
  probes: [],
  states: [],
  roles: [],
  subjects: [],
};

/** The names that these guards look up, each once. */
export function readsOf(guards: readonly Guard[]): Reads {
  const all = leavesOf(guards).map((leaf) => ({ ...NOTHING, ...readsOfLeaf(leaf) }));
  const join = (field: keyof Reads) => [
    ...new Set(all.flatMap((reads) => reads[field]).filter((name) => name !== '')),
  ];
  return {
    marks: join('marks'),
    kinds: join('kinds'),
    groups: join('groups'),
    settings: join('settings'),
    counters: join('counters'),
    probes: join('probes'),
    states: join('states'),
    roles: join('roles'),
    subjects: join('subjects'),
  };
}

function readsOfLeaf(leaf: Leaf): Partial<Reads> {
  switch (leaf.guard) {
    case 'apart':
      return { marks: [leaf.from] };
    case 'same':
      return { marks: [leaf.as] };
    case 'evidence':
      return { kinds: [leaf.kind], marks: [leaf.apart] };
    case 'absent':
      return { kinds: [leaf.kind] };
    case 'votes':
      return { kinds: [leaf.kind], marks: typeof leaf.of === 'string' ? [leaf.of] : [] };
    case 'independent':
      return { kinds: [leaf.kind], settings: leaf.atLeast === '@pinned' ? ['independence'] : [] };
    case 'members':
      return { groups: [leaf.group], subjects: [leaf.on] };
    case 'reaches':
    case 'count':
      return { counters: [leaf.counter] };
    case 'previous':
      return { states: leaf.in };
    case 'probe':
      return { probes: [leaf.name] };
    case 'team':
      return { roles: [leaf.role, ...(leaf.among ?? [])], marks: [leaf.apart] };
    case 'setting':
      return { settings: [leaf.name] };
    case 'hats':
      return {
        marks: [
          ...new Set(
            leaf.pairs.filter((p) => p.split('-').includes(leaf.wearing)).flatMap((p) => p.split('-')),
          ),
        ],
      };
  }
}

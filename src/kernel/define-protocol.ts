import type {
  EvidenceRow,
  Forbidden,
  Policy,
  Protocol,
  Row,
  StateDefinition,
  SubjectDefinition,
} from './protocol.ts';

type Many<S extends string> = S | readonly S[];
type StateRef<S extends string> = S | `*${string}`;
type RoleRef<R extends string> = R | '@owner' | 'human' | 'engine' | 'policy';
type Target<S extends string> = StateRef<S> | '@same' | '@previous' | '@next' | '@earlier';

/** A row as an author writes it: what is left out is the empty value. */
export interface RowSpec<S extends string = string, R extends string = string>
  extends Partial<Omit<Row, 'from' | 'to' | 'by' | 'via'>> {
  readonly from: Many<StateRef<S>>;
  readonly command: string;
  readonly to: Target<S>;
  readonly by: Many<RoleRef<R>>;
  readonly via?: S;
}

export interface EvidenceSpec<S extends string = string, R extends string = string>
  extends Partial<Omit<EvidenceRow, 'in' | 'by'>> {
  readonly kind: string;
  readonly outcomes: readonly string[];
  readonly on: string;
  readonly in: Many<StateRef<S>>;
  readonly by: Many<RoleRef<R>>;
}

export interface ProtocolSpec<S extends string = string, R extends string = string>
  extends Partial<
    Omit<
      Protocol,
      'initial' | 'states' | 'roles' | 'rows' | 'evidence' | 'forbidden' | 'policies' | 'subjects'
    >
  > {
  readonly name: string;
  readonly roles: readonly R[];
  readonly states: { readonly [K in S]: Partial<StateDefinition> & Pick<StateDefinition, 'category'> };
  readonly initial: NoInfer<S>;
  readonly rows: readonly RowSpec<NoInfer<S>, NoInfer<R>>[];
  readonly evidence?: readonly EvidenceSpec<NoInfer<S>, NoInfer<R>>[];
  readonly subjects?: { readonly [name: string]: Partial<SubjectDefinition> };
  readonly forbidden?: readonly (Omit<Forbidden, 'from' | 'instead'> & {
    readonly from: Many<StateRef<NoInfer<S>>>;
    readonly instead?: string;
  })[];
  readonly policies?: readonly (Partial<Policy> & Pick<Policy, 'tell'>)[];
}

const many = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

/**
 * A protocol from its short form. States and roles that a row names are checked by the compiler here,
 * and by `problemsOf` for protocols written as YAML or JSON.
 */
export function defineProtocol<const S extends string, const R extends string>(
  spec: ProtocolSpec<S, R>,
): Protocol {
  const plain = {
    version: '1.0.0',
    meaning: '',
    openers: [],
    sets: {},
    order: [],
    counters: {},
    settings: {},
    groups: [],
    probes: [],
    promises: [],
    closed: [],
    gates: [],
    independence: 'automated' as const,
    ...spec,
  };
  return whenRead<Protocol>(plain, {
    states: () =>
      mapValues<Partial<StateDefinition> & Pick<StateDefinition, 'category'>, StateDefinition>(
        spec.states,
        stateOf,
      ),
    subjects: () => mapValues(spec.subjects ?? {}, (s) => ({ in: [], by: [], ...s })),
    rows: () => spec.rows.map(rowOf),
    evidence: () => (spec.evidence ?? []).map(evidenceOf),
    forbidden: () => (spec.forbidden ?? []).map((f) => ({ instead: '', ...f, from: many(f.from) })),
    policies: () => (spec.policies ?? []).map(policyOf),
  });
}

/** `plain` with properties that are made when they are first read: a process reads one or two of the tables that it has. */
function whenRead<T extends object>(plain: object, made: { readonly [K in keyof T]?: () => T[K] }): T {
  for (const [key, make] of Object.entries<() => unknown>(made as { [key: string]: () => unknown })) {
    const keep = (as: PropertyDescriptor) =>
      Object.defineProperty(plain, key, { enumerable: true, configurable: true, ...as });
    keep({
      get: () => {
        const value = make();
        keep({ value, writable: true });
        return value;
      },
    });
  }
  return plain as T;
}

const stateOf = (state: Partial<StateDefinition> & Pick<StateDefinition, 'category'>): StateDefinition => ({
  meaning: '',
  owner: '',
  final: false,
  success: false,
  allowance: 0,
  ...state,
});

const rowOf = (row: RowSpec): Row => ({
  requires: [],
  takes: [],
  as: '',
  names: {},
  counts: [],
  records: [],
  moves: [],
  forgets: [],
  via: '',
  verdict: false,
  override: false,
  attempt: false,
  ...row,
  from: many(row.from),
  by: many(row.by),
});

const evidenceOf = (row: EvidenceSpec): EvidenceRow => ({
  requires: [],
  as: '',
  verdict: '',
  each: false,
  once: false,
  ...row,
  in: many(row.in),
  by: many(row.by),
});

const policyOf = (policy: Partial<Policy> & Pick<Policy, 'tell'>): Policy => ({
  enters: [],
  commands: [],
  note: '',
  carry: [],
  moves: [],
  asks: '',
  send: '',
  ...policy,
});

function mapValues<A, B>(
  record: { readonly [key: string]: A },
  f: (value: A) => B,
): { readonly [key: string]: B } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]));
}

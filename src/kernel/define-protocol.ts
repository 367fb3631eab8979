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

type Made = { readonly [K in keyof Protocol]: (spec: ProtocolSpec) => Protocol[K] };

/** Each property of a protocol from its short form; what is left out is the empty value. */
const MADE: Made = {
  name: ({ name }) => name,
  version: ({ version = '1.0.0' }) => version,
  meaning: ({ meaning = '' }) => meaning,
  roles: ({ roles }) => roles,
  openers: ({ openers = [] }) => openers,
  initial: ({ initial }) => initial,
  states: ({ states }) =>
    mapValues<Partial<StateDefinition> & Pick<StateDefinition, 'category'>, StateDefinition>(states, stateOf),
  sets: ({ sets = {} }) => sets,
  order: ({ order = [] }) => order,
  counters: ({ counters = {} }) => counters,
  subjects: ({ subjects = {} }) => mapValues(subjects, (s) => ({ in: [], by: [], ...s })),
  settings: ({ settings = {} }) => settings,
  groups: ({ groups = [] }) => groups,
  probes: ({ probes = [] }) => probes,
  rows: ({ rows }) => rows.map(rowOf),
  evidence: ({ evidence = [] }) => evidence.map(evidenceOf),
  forbidden: ({ forbidden = [] }) => forbidden.map((f) => ({ instead: '', ...f, from: many(f.from) })),
  policies: ({ policies = [] }) => policies.map(policyOf),
  gates: ({ gates = [] }) => gates,
  promises: ({ promises = [] }) => promises,
  closed: ({ closed = [] }) => closed,
  independence: ({ independence = 'automated' }) => independence,
};

/** The short form of each protocol, made when something of it is first read. */
const shortForms = new WeakMap<object, () => ProtocolSpec>();

/** One set for all protocols, each of which has little more than its short form until it is read. */
const unread = Object.fromEntries(
  Object.entries<(spec: ProtocolSpec) => unknown>(MADE).map(([key, make]) => [key, madeOnce(key, make)]),
);

function madeOnce(key: string, make: (spec: ProtocolSpec) => unknown): PropertyDescriptor {
  const as = { enumerable: true, configurable: true };
  function get(this: object): unknown {
    const value = make(shortForms.get(this)?.() as ProtocolSpec);
    Object.defineProperty(this, key, { ...as, value, writable: true });
    return value;
  }
  return { ...as, get };
}

/**
 * A protocol from its short form. States and roles that a row names are checked by the compiler here,
 * and by `problemsOf` for protocols written as YAML or JSON. Each property is made when it is first read, and so is a
 * short form that is given as a function: a process reads one or two of the tables that it has.
 */
export function defineProtocol<const S extends string, const R extends string>(
  spec: ProtocolSpec<S, R> | (() => ProtocolSpec<S, R>),
): Protocol {
  let given: ProtocolSpec | undefined;
  const protocol = Object.defineProperties({}, unread);
  shortForms.set(protocol, () => {
    given ??= (typeof spec === 'function' ? spec() : spec) as ProtocolSpec;
    return given;
  });
  return protocol as Protocol;
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

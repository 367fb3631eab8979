import { INDEPENDENCE } from './actor.ts';
import { defineProtocol, type ProtocolSpec } from './define-protocol.ts';
import { completeGuard, guardShape } from './guard-shape.ts';
import type { Guard } from './guards/index.ts';
import { problemsOf } from './problems.ts';
import type { Protocol } from './protocol.ts';
import {
  boolean,
  fields,
  integer,
  listOf,
  mapOf,
  nonEmpty,
  oneOf,
  oneOrMany,
  setting,
  string,
} from './shape.ts';

export type Parsed =
  | { readonly ok: true; readonly protocol: Protocol }
  | { readonly ok: false; readonly problems: readonly string[] };

const strings = listOf(string);
const many = oneOrMany(nonEmpty);
const guards = listOf(guardShape);

const row = fields(
  { from: many, command: string, to: nonEmpty, by: many },
  {
    requires: guards,
    takes: strings,
    as: string,
    names: mapOf(nonEmpty),
    counts: strings,
    records: strings,
    moves: strings,
    forgets: strings,
    via: string,
    verdict: boolean,
    override: boolean,
    attempt: boolean,
  },
);

const evidenceRow = fields(
  { kind: nonEmpty, outcomes: strings, by: many, in: many, on: nonEmpty },
  { requires: guards, as: string, verdict: string, each: boolean, once: boolean },
);

const state = fields(
  { category: nonEmpty },
  { meaning: string, owner: string, final: boolean, success: boolean, allowance: integer },
);

const policy = fields(
  { tell: nonEmpty },
  {
    enters: strings,
    commands: strings,
    note: string,
    carry: strings,
    moves: strings,
    asks: string,
    send: string,
  },
);

const gate = fields({ in: nonEmpty, pass: nonEmpty }, { fail: string, role: string });

const specification = fields(
  { name: nonEmpty, roles: strings, initial: nonEmpty, states: mapOf(state), rows: listOf(row) },
  {
    $schema: string,
    version: nonEmpty,
    meaning: string,
    openers: strings,
    sets: mapOf(strings),
    order: strings,
    counters: mapOf(fields({ per: oneOf('item', 'state'), limit: integer }, {})),
    subjects: mapOf(fields({}, { in: strings, by: strings })),
    settings: mapOf(listOf(setting)),
    groups: strings,
    probes: strings,
    evidence: listOf(evidenceRow),
    forbidden: listOf(fields({ from: many, command: nonEmpty, because: nonEmpty }, { instead: string })),
    policies: listOf(policy),
    promises: guards,
    closed: guards,
    gates: listOf(gate),
    independence: oneOf(...INDEPENDENCE),
  },
);

/**
 * A protocol from its written form (the short form of `defineProtocol`, as YAML or JSON gave it). Never throws:
 * whatever is wrong comes back as sentences that name the place. `carried`: marks that policies of other protocols
 * bring along.
 */
export function parseProtocol(value: unknown, carried: readonly string[] = []): Parsed {
  const misshapen = specification(value, 'protocol');
  if (misshapen.length > 0) return { ok: false, problems: misshapen };
  const { $schema: _, ...spec } = value as ProtocolSpec & { readonly $schema?: string };
  const protocol = defineProtocol(completed(spec));
  const problems = problemsOf(protocol, carried);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, protocol };
}

/** The guards with what was left out filled in; rows and the rest are filled in by `defineProtocol`. */
function completed(spec: ProtocolSpec): ProtocolSpec {
  const fill = (guards: readonly Guard[] | undefined) => (guards ?? []).map(completeGuard);
  return {
    ...spec,
    rows: spec.rows.map((row) => ({ ...row, requires: fill(row.requires) })),
    evidence: (spec.evidence ?? []).map((row) => ({ ...row, requires: fill(row.requires) })),
    promises: fill(spec.promises),
    closed: fill(spec.closed),
    gates: (spec.gates ?? []).map((gate) => ({ ...gate, fail: gate.fail ?? '', role: gate.role ?? '' })),
  };
}

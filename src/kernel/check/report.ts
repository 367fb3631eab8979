/** What `checkProtocol` looks for, each with the sentence that is proved when nothing was found. */
export const PROPERTIES = {
  'well-formed': 'every name in the table is declared',
  'dead-end': 'from everywhere an end can be reached',
  'refusal-without-exit': 'wherever a gate is closed, somebody has another way on',
  'unreachable-row': 'every row can be taken',
  'unreachable-evidence': 'every kind of evidence can be recorded',
  'unreachable-state': 'every state can be entered',
  'unused-role': 'every role is used by the table and held by somebody',
  verdict: 'no success without a verdict that the minimum independence allows',
  'self-verdict': "no verdict by the builder's own lineage while somebody outside could give it",
  'carried-over': 'no verdict leans on what was found before the work was handed in again',
  promise: 'every promise holds when a success is entered',
  'final-left': 'no row leads out of a final state',
  counter: 'no counter passes its limit',
  override: 'every override is a named command, kept for people or an authority that does not build',
  'settle-loop': 'rows without a command come to rest',
  policy: 'no command that a policy sends is refused',
  'needs-human': 'no state waits for a person alone',
  'no-success': 'every cast can reach a success',
  endless: 'agents alone cannot go round for ever',
} as const;
export type Property = keyof typeof PROPERTIES;

/** One broken property, or one remark, with the shortest way there. */
export interface Finding {
  readonly property: Property;
  /** A note tells; it does not fail the check. */
  readonly severity: 'error' | 'note';
  readonly what: string;
  /** `actor: command(arguments)`, in order; empty where the table alone shows it. */
  readonly path: readonly string[];
  /** Name of the roster, with the settings that differ from the default; '' where it does not matter. */
  readonly roster: string;
}

/** What the exploration saw. A cut one proves nothing. */
export interface Report {
  readonly name: string;
  readonly states: number;
  readonly edges: number;
  /** True when the cap was reached before everything was seen. */
  readonly cut: boolean;
  readonly rosters: readonly string[];
  readonly findings: readonly Finding[];
  readonly proved: readonly Property[];
}

/** Collects findings: the same one is kept once, with its first, thus shortest, path. */
export interface Findings {
  readonly add: (
    property: Property,
    what: string,
    at?: { readonly path: () => readonly string[]; readonly roster: string },
  ) => void;
  readonly list: () => readonly Finding[];
}

const NOTES: readonly Property[] = ['needs-human', 'no-success', 'endless'];

export function newFindings(): Findings {
  const found = new Map<string, Finding>();
  return {
    add: (property, what, at) => {
      const key = `${property}\u0000${what}`;
      if (found.has(key)) return;
      const severity = NOTES.includes(property) ? 'note' : 'error';
      found.set(key, { property, severity, what, path: at?.path() ?? [], roster: at?.roster ?? '' });
    },
    list: () => [...found.values()],
  };
}

/** What a complete exploration without findings of that kind has shown. */
export function provedBy(findings: readonly Finding[], cut: boolean): readonly Property[] {
  if (cut || findings.some((f) => f.property === 'well-formed')) return [];
  return (Object.keys(PROPERTIES) as Property[]).filter((p) => !findings.some((f) => f.property === p));
}

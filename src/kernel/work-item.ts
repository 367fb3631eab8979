import type { Facts, Linked, ProtocolRef, Setting } from './event.ts';
import type { Evidence } from './evidence.ts';

/** A named thing that evidence is about: a commit, a plan, a product. */
export interface Subject {
  readonly digest: string;
  /** Grows with every change, also back to an earlier digest. */
  readonly generation: number;
}

/** What this item knows of another one in a group. */
export interface Member {
  readonly state: string;
  readonly category: string;
  readonly asked: string;
}

/** One move of the item, as its readers need it. */
export interface Step {
  readonly command: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly at: string;
  readonly attempt: number;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
  readonly facts: Facts;
  readonly override: boolean;
}

/** The fold of an item's stream. Nothing in it is written except through `evolve`. */
export interface WorkItem {
  readonly protocol: ProtocolRef;
  readonly state: string;
  /** The last state left that was not an escalation: where '@previous' goes back to. */
  readonly previous: string;
  readonly enteredAt: string;
  /** Time of the last event. */
  readonly updatedAt: string;
  /** Number of events folded; the version that the next write expects. */
  readonly version: number;
  /** 1-based. Claims and verdicts belong to an attempt; a new one carries nothing over. */
  readonly attempt: number;
  readonly number: number;
  readonly list: string;
  readonly kind: string;
  readonly title: string;
  readonly settings: { readonly [name: string]: Setting };
  readonly legacy: boolean;
  readonly facts: Facts;
  readonly openedAt: string;
  readonly openedBy: string;
  readonly counters: { readonly [key: string]: number };
  readonly marks: { readonly [mark: string]: readonly string[] };
  readonly evidence: readonly Evidence[];
  readonly subjects: { readonly [name: string]: Subject };
  readonly members: { readonly [group: string]: { readonly [id: string]: Member } };
  readonly steps: readonly Step[];
  /** Allowance thresholds (percent) already told for the present stay in the state. */
  readonly elapsed: readonly number[];
  readonly links: readonly Linked[];
}

export const UNOPENED: WorkItem = {
  protocol: { name: '', version: '', digest: '' },
  state: '',
  previous: '',
  enteredAt: '',
  updatedAt: '',
  version: 0,
  attempt: 1,
  number: 0,
  list: '',
  kind: '',
  title: '',
  settings: {},
  legacy: false,
  facts: {},
  openedAt: '',
  openedBy: '',
  counters: {},
  marks: {},
  evidence: [],
  subjects: {},
  members: {},
  steps: [],
  elapsed: [],
  links: [],
};

import type { Independence } from './actor.ts';
import type { CounterDefinition } from './counters.ts';
import type { Setting } from './event.ts';
import type { Guard } from './guards/index.ts';

/** What the states of different protocols have in common; boards, progress and gates use it, never names. */
export const CATEGORIES = [
  'QUEUED',
  'WORKING',
  'SUBMITTED',
  'CHECKING',
  'ACCEPTED',
  'CONFIRMED',
  'REWORK',
  'ESCALATED',
  'CLOSED',
  'FAILED',
] as const;
export type Category = (typeof CATEGORIES)[number];

export interface StateDefinition {
  readonly category: Category;
  readonly meaning: string;
  /** Role that '@owner' stands for, '' for none. */
  readonly owner: string;
  /** Nothing leads out of a final state. */
  readonly final: boolean;
  /** Entering it counts as success; a success need not be final, a final state need not be a success. */
  readonly success: boolean;
  /** Minutes an item should stay at most; 0 = no allowance. It tells, it never moves. */
  readonly allowance: number;
}

/**
 * One row of the table. `from`: a state, a list, or a named set ('*working'). `to`: a state, a set (the command's
 * argument `to` names one of it), '@same', '@previous', '@next' or '@earlier' (in `order`, seen from '@previous').
 */
export interface Row {
  readonly from: readonly string[];
  /** '' = eventless: taken by `settle` as soon as its gate is open. */
  readonly command: string;
  readonly to: string;
  /** Roles, '@owner', 'human' (a person with a proof from the human channel), 'engine', 'policy'. */
  readonly by: readonly string[];
  readonly requires: readonly Guard[];
  /** Arguments that the command must carry; `reason` is the reason of the command itself. */
  readonly takes: readonly string[];
  /** The actor is remembered under this mark; '' = not. */
  readonly as: string;
  /** Marks for actors that arguments name: { assignee: 'to' }; several are separated by commas. */
  readonly names: { readonly [mark: string]: string };
  /** Counting rules, see counters.ts. */
  readonly counts: readonly string[];
  /** Evidence that the row itself is: 'kind:outcome:subject'. */
  readonly records: readonly string[];
  /** Subjects that get a new value: evidence on them goes stale. */
  readonly moves: readonly string[];
  /** Marks, groups and evidence kinds dropped. */
  readonly forgets: readonly string[];
  /** A state written to the history on the way; '' = none. */
  readonly via: string;
  /** Taking the row is the actor's own pass on the present subjects. */
  readonly verdict: boolean;
  /** May bypass what `protocol check` proves: always with authority and reason, marked on the item for ever. */
  readonly override: boolean;
  /** A new attempt begins: nothing of the old one carries over. */
  readonly attempt: boolean;
}

/** Who may record a kind of evidence, where, and on which subject. */
export interface EvidenceRow {
  readonly kind: string;
  readonly outcomes: readonly string[];
  readonly by: readonly string[];
  readonly in: readonly string[];
  readonly on: string;
  readonly requires: readonly Guard[];
  readonly as: string;
  /** The outcome that counts as the actor's own pass; '' = none. */
  readonly verdict: string;
  /** One voice per actor, side by side; else the latest replaces the earlier. */
  readonly each: boolean;
  /** Not again on the same subject: no shopping for verdicts. */
  readonly once: boolean;
}

export interface SubjectDefinition {
  /** States in which the outside may change it; empty = pinned, only rows move it. */
  readonly in: readonly string[];
  readonly by: readonly string[];
}

/** A listed impossibility, with the reason that people are told. */
export interface Forbidden {
  readonly from: readonly string[];
  readonly command: string;
  readonly because: string;
  readonly instead: string;
}

/**
 * Where the engine runs the checks of what was claimed. A run that passes takes the command `pass`, one that fails takes
 * `fail`: no row of these is open without its evidence, so nobody can give a result.
 */
export interface Gate {
  readonly in: string;
  readonly pass: string;
  /** '' where a failed run leaves the item as it is. */
  readonly fail: string;
  /** Role that a verdict here is spoken in, as proof packs name it. */
  readonly role: string;
}

/** Event here, fact or command there, in the same transaction. Policies note facts; `settle` moves. */
export interface Policy {
  /** States entered ('*' = any move), or commands taken. */
  readonly enters: readonly string[];
  readonly commands: readonly string[];
  /** The link along which to tell: 'dependants', 'list', 'parent', 'members'. */
  readonly tell: string;
  /** Group under which the fact is noted there; '' = none. */
  readonly note: string;
  readonly carry: readonly string[];
  /** Subjects of the told item that move with the note, to the digest asked about. */
  readonly moves: readonly string[];
  /** Subject whose digest goes along as what was asked about; '' = none. */
  readonly asks: string;
  readonly send: string;
}

/** A protocol is plain JSON; its digest is pinned when an item is opened. */
export interface Protocol {
  readonly name: string;
  readonly version: string;
  readonly meaning: string;
  readonly roles: readonly string[];
  /** Roles that may open an item; a person always may. */
  readonly openers: readonly string[];
  readonly initial: string;
  readonly states: { readonly [state: string]: StateDefinition };
  readonly sets: { readonly [set: string]: readonly string[] };
  /** Order of the states for '@next' and '@earlier'. */
  readonly order: readonly string[];
  readonly counters: { readonly [name: string]: CounterDefinition };
  readonly subjects: { readonly [name: string]: SubjectDefinition };
  /** Settings with their legal values, the default first. */
  readonly settings: { readonly [name: string]: readonly Setting[] };
  readonly groups: readonly string[];
  readonly probes: readonly string[];
  readonly rows: readonly Row[];
  readonly evidence: readonly EvidenceRow[];
  readonly forbidden: readonly Forbidden[];
  readonly policies: readonly Policy[];
  readonly gates: readonly Gate[];
  /** Hold whenever a success state is entered; `protocol check` proves them. */
  readonly promises: readonly Guard[];
  /** An item for which all of these hold counts as closed although its state is not final; empty = none. */
  readonly closed: readonly Guard[];
  /** Least independence of the verdict on every path to success. */
  readonly independence: Independence;
}

/** The states that a `from` or `in` names, sets expanded. */
export function expand(protocol: Protocol, names: readonly string[]): readonly string[] {
  if (!names.some((name) => name.startsWith('*'))) return names;
  return names.flatMap((name) => (name.startsWith('*') ? (protocol.sets[name] ?? []) : [name]));
}

import type { Independence } from './actor.ts';
import type { Verdict } from './verdict.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Facts = { readonly [name: string]: Json };

/** Which table an item follows; pinned for life when it is opened. */
export interface ProtocolRef {
  readonly name: string;
  readonly version: string;
  /** Hex SHA-256 of the canonical JSON of the protocol. */
  readonly digest: string;
}

/** A value chosen when the item is opened and never changed: policy cannot flip in mid-flight. */
export type Setting = string | boolean;

interface Fact {
  /** ISO 8601 UTC, from the command. */
  readonly at: string;
  /** Actor id, 'engine' for what nobody asked. */
  readonly by: string;
}

export interface Opened extends Fact {
  readonly type: 'opened';
  readonly protocol: ProtocolRef;
  readonly state: string;
  readonly number: number;
  readonly list: string;
  readonly kind: string;
  readonly title: string;
  readonly settings: { readonly [name: string]: Setting };
  /** True for what an old list said was done: kept, shown, never counted as verified. */
  readonly legacy: boolean;
  readonly facts: Facts;
}

export interface Moved extends Fact {
  readonly type: 'moved';
  /** Index of the row in the pinned protocol; -1 for the hop that `via` adds. */
  readonly row: number;
  readonly command: string;
  /** The state in which the command was given; with `via` not the same as `from`. */
  readonly origin: string;
  readonly from: string;
  readonly to: string;
  readonly arguments: { readonly [name: string]: string };
  readonly reason: string;
  /** New digests of the subjects that the row moves. */
  readonly subjects: { readonly [name: string]: string };
  /** What the engine found outside for this command, probes included. */
  readonly facts: Facts;
  readonly verdicts: readonly Verdict[];
  /** Id of the human proof that was used up, '' for none. */
  readonly proof: string;
}

export interface Recorded extends Fact {
  readonly type: 'recorded';
  /** Index of the evidence row in the pinned protocol. */
  readonly row: number;
  readonly kind: string;
  readonly outcome: string;
  readonly requestedBy: string;
  readonly independence: Independence;
  readonly facts: Facts;
  readonly proof: string;
}

/** The outside changed a subject: its evidence is stale from here on. */
export interface SubjectMoved extends Fact {
  readonly type: 'subject-moved';
  readonly subject: string;
  readonly digest: string;
}

/** A fact about another item, brought by a policy. Facts are never refused. */
export interface Noted extends Fact {
  readonly type: 'noted';
  readonly group: string;
  readonly member: string;
  /** '' takes the member out of the group. */
  readonly state: string;
  readonly category: string;
  /** Digest that the member was asked to judge, '' when none. */
  readonly asked: string;
  readonly marks: { readonly [mark: string]: readonly string[] };
  /** Subjects here that get the asked digest as their new value. */
  readonly moves: readonly string[];
}

/** A threshold of the state's allowance passed. It tells; it never moves a state. */
export interface Elapsed extends Fact {
  readonly type: 'elapsed';
  readonly state: string;
  readonly percent: number;
  /** When it passed, ISO 8601 UTC: before `at` where nobody was there to look. */
  readonly due: string;
}

/** How a task in phases, its phases, runs and reviews know each other. */
export type PhaseLink = 'task' | 'first' | 'next' | 'phase' | 'deployed' | 'review' | 'reviewers';

/** A later item takes this one's place, or goes back to it; or this one belongs to a goal, to a task in phases, or to the task below which it stands. */
export interface Linked extends Fact {
  readonly type: 'linked';
  readonly kind: 'superseded-by' | 'regression' | 'goal' | 'not-goal' | 'part-of' | PhaseLink;
  readonly to: string;
  /** Of a move to another table: from which, to which, and why. */
  readonly facts?: Facts;
}

export type ItemEvent = Opened | Moved | Recorded | SubjectMoved | Noted | Elapsed | Linked;

import type { Finding, Gathered } from '../../kernel/command.ts';
import type { Json } from '../../kernel/event.ts';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';

/** A step as somebody asks for it: the command of a table, with all that its rows may look at. */
export interface StepRequest {
  readonly ref: string;
  readonly command: string;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
  /** A commit, '' for what the row takes by itself: HEAD for a claim, the default branch for a goal. */
  readonly commit: string;
  /** Files, as PATH or TYPE=PATH. */
  readonly evidence: readonly string[];
  readonly noChange: boolean;
  /** The session that asks, for protocols whose items a session holds; '' for none. */
  readonly session: string;
}

/** What a gatherer has at hand when it looks outside. */
export interface Look {
  readonly ports: Ports;
  readonly caller: Caller;
  readonly handle: Handle;
  readonly request: StepRequest;
  readonly config: () => Promise<Config>;
  /** Remarks for whoever asked; they decide nothing. */
  readonly warnings: string[];
}

/** Looks outside for one or more probes, and for what is to be kept with the move. */
export type Gatherer = (look: Look) => Promise<Partial<Gathered>> | Partial<Gathered>;

export const seen = (because: string): Finding => ({ status: 'satisfied', because, fix: '' });
export const lacking = (because: string, fix: string): Finding => ({ status: 'unsatisfied', because, fix });

/** Several gatherers' findings as one; the probes are kept with the move, so that an audit can judge it again. */
export function together(parts: readonly Partial<Gathered>[]): Gathered {
  const probes = Object.assign({}, ...parts.map((part) => part.probes ?? {})) as Gathered['probes'];
  const subjects = Object.assign({}, ...parts.map((part) => part.subjects ?? {})) as Gathered['subjects'];
  const facts = Object.assign({}, ...parts.map((part) => part.facts ?? {})) as Gathered['facts'];
  const kept = Object.keys(probes).length === 0 ? {} : { probes: { ...probes } as unknown as Json };
  return { probes, subjects, facts: { ...facts, ...kept } };
}

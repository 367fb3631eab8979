import { own } from './own.ts';

/**
 * The kinds of evidence that the engine itself records, and of each the outcome that says that work is good: its checks
 * passed. A run that failed or came to nothing, and its own papers, are no verdict, whatever a table asks of them.
 */
export const ENGINE_KINDS: { readonly [kind: string]: string } = {
  'proof-pack': 'PASSED',
  inconclusive: '',
  'quality-demand': '',
  'final-report': '',
};

/** Whether this outcome may stand for a verdict; of a kind that is not the engine's own, any may. */
export const isPassing = (kind: string, outcome: string): boolean =>
  outcome === (own(ENGINE_KINDS, kind) ?? outcome);

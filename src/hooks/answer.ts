/** What a hook says of a moment, before an agent's adapter gives it form. */
export type Answer =
  | { readonly kind: 'silent' }
  /** The turn, the task or the change may not end like this; `reason` is the agent's next instruction. */
  | { readonly kind: 'block'; readonly reason: string }
  /** The tool may not be used like this. */
  | { readonly kind: 'deny'; readonly reason: string }
  /** Something for the agent to know. */
  | { readonly kind: 'context'; readonly text: string }
  /** Something for the person. */
  | { readonly kind: 'tell'; readonly text: string };

export const SILENT: Answer = { kind: 'silent' };
export const block = (reason: string): Answer => ({ kind: 'block', reason });
export const deny = (reason: string): Answer => ({ kind: 'deny', reason });
export const context = (text: string): Answer => ({ kind: 'context', text });
export const tell = (text: string): Answer => ({ kind: 'tell', text });

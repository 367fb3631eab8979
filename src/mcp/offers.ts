/** The tools that exact calls may name. */
export interface Offers {
  /** What the caller's own list holds. */
  readonly own: ReadonlySet<string>;
  /** What some role is offered. */
  readonly any: ReadonlySet<string>;
}

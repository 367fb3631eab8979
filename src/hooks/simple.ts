/** One simple command of a line: its words without quotes, the files it is redirected into, and texts that it is fed. */
export interface Simple {
  readonly words: readonly string[];
  readonly writes: readonly string[];
  /** What stands in the line as its input, `<<EOF`. */
  readonly fed: readonly string[];
}

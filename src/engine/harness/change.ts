/** What becomes of a file. undefined is no file. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Nothing of ours was in it before. */
  readonly isFirst: boolean;
}

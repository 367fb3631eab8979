/** Something that an actor or a role has to be told, as the log shows it (GOAL-36, GOAL-60). */
export interface Message {
  /** An actor, or a role: whoever holds it is meant. */
  readonly to: string;
  readonly item: string;
  readonly text: string;
}

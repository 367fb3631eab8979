/** b0: what a todo list does that the agent ticks off itself. */
export const trust = (): boolean => true;

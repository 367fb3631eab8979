/** Whose a task is, as seen from a session (PROTO-45). */
export type Holding = 'none' | 'own' | 'other' | 'unknown';

export type Selection = 'RESUME' | 'ERROR' | 'SELECT_ALTERNATIVE' | 'ASK_USER' | 'PROCEED_WITH_INIT';

export interface Selected {
  readonly selection: Selection;
  readonly because: string;
}

/**
 * What a session does with a task, by whether it is held, by whom, and whether its worktree is there: six rows, and one
 * for a lock that cannot be read, which counts as held by nobody known (PROTO-47 to PROTO-52, CP-45).
 */
export function selectTask(holding: Holding, hasWorktree: boolean): Selected {
  switch (holding) {
    case 'own':
      return hasWorktree
        ? { selection: 'RESUME', because: 'this session holds it: go on from its last state' }
        : { selection: 'ERROR', because: 'this session holds it, and its worktree is gone: ask the user' };
    case 'other':
      return hasWorktree
        ? { selection: 'SELECT_ALTERNATIVE', because: 'another session works on it' }
        : { selection: 'SELECT_ALTERNATIVE', because: 'another session holds it and may be initializing' };
    case 'unknown':
      return { selection: 'ASK_USER', because: 'it is held, and by whom cannot be read' };
    case 'none':
      return hasWorktree
        ? { selection: 'ASK_USER', because: 'its worktree is there and nobody holds it' }
        : { selection: 'PROCEED_WITH_INIT', because: 'nobody holds it and it has no worktree' };
  }
}

/** What may have happened where a worktree is there and no lock (PROTO-62). */
export const CAUSES = [
  'a session crashed before it cleaned up',
  'the worktree was made by hand',
  'the lock was deleted by hand',
] as const;

/** The three ways on, of which a person takes one (PROTO-63, PROTO-64). */
export const CHOICES = {
  fresh: 'clean up and start fresh',
  resume: 'resume in the existing worktree',
  other: 'choose another task',
} as const;
export type Choice = keyof typeof CHOICES;

/** The question to the user, with everything that it takes to answer it. */
export function crashedQuestion(task: string, worktree: string, lock: string): readonly string[] {
  return [
    `task ${task}: its worktree ${worktree} is there, and its lock ${lock} is not.`,
    `Possibly a crashed session: ${CAUSES.join('; or ')}.`,
    'A person chooses:',
    ...Object.entries(CHOICES).map(([choice, what]) => `  ${choice}: ${what}`),
  ];
}

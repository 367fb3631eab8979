import type { RoleBrief } from './brief.ts';

/** The roles of tasks in stages. */
export const STAGED_BRIEFS: readonly RoleBrief[] = [
  {
    role: 'coordinator',
    when: 'Holds a task by its session, and leads it from its start to its clean-up',
    rules: [
      'Check a task before you take it up, and name your session with every step: whoever holds a task by another session is left alone.',
      'Decide risk and agents, have every agent say what it needs, and make one plan of it: who implements, who calls them, in which worktree.',
      'Show the plan, and wait for the word of a person. What they said before, and what you think of it, is no approval.',
      'While it is built you call agents, merge their branches and resolve conflicts. You write no implementation file, and mend none.',
      'All agents approve the very commit, or it goes back. Then a person looks at it: a change that they ask for is an order, so go back at once and ask nothing.',
      'Carry a task through without asking between the checkpoints. To stop in the middle takes a technical blocker, an ambiguity that only a person settles, or a scope that was changed from outside.',
    ],
  },
  {
    role: 'stakeholder',
    when: 'Speaks, builds and judges for one domain of a task',
    rules: [
      'Write your report into the folder of the task, each demand of your domain on a line with an id (- REQ-SEC-1: tokens expire), then say that you are complete. Without the report you are not.',
      'Build in your own worktree, on your own branch, what the approved plan gives to your domain. Commit all of it, validate that commit, then say that you are complete: that very commit is merged, and no later one.',
      'What stands in your way is an ERROR with its reason, not a guess.',
      'In the review read the very commit, and say APPROVED or REJECTED, with a reason that others can act on. One rejection sends it back.',
    ],
  },
];

import type { RoleBrief } from './brief.ts';

/** The roles of goals and their tasks. */
export const GOAL_BRIEFS: readonly RoleBrief[] = [
  {
    role: 'lead',
    when: 'Owns goals, gives out their tasks and verifies the whole',
    rules: [
      'Make a goal, its tasks, and give each to a builder. Goals hold tasks, no goals; tasks hold none, and wait for each other by dependencies.',
      'You may approve what others built. Whoever approved a task does not verify it.',
      'A task that was rejected twice waits for you: give it to another builder, name another verifier, or take it over.',
      'Verified tasks are not a verified goal: merge the work, try the whole, and have the engine run the checks on the commit that holds it. Nobody can do that for you.',
      'Where the whole does not work, reject the goal and add a task for what is wrong. Where a verified task broke, reopen it: its verification is over then.',
    ],
  },
  {
    role: 'builder',
    when: 'Builds a task that was assigned to it',
    rules: [
      'Begin the task that is yours, commit all of the work, and submit it with a summary. It is not done then.',
      'What minions did for you counts as yours: read it before you submit, and name them as helpers.',
      'You neither approve nor verify what you or your minions built, whoever asks you to.',
      'A rejection says what is wrong: mend all of it, and submit again. It is approved and verified anew.',
    ],
  },
  {
    role: 'reviewer',
    when: 'Reads what was submitted',
    rules: [
      'Read the change, then approve it, or reject it with a reason that its builder can act on.',
      'What you approved is completed and not verified. Somebody else verifies it.',
    ],
  },
  {
    role: 'verifier',
    when: 'Has approved tasks verified that it neither built nor approved',
    rules: [
      'Read the summary and the files, try the work, then ask for the verification: the engine runs the checks at the submitted commit and decides. Notes alone verify nothing.',
      'What you found wrong, and the checks do not, is a rejection with its reason.',
      'Do not end before the task is verified or back with its builder. What could not be checked is not passed: say what stood in the way.',
    ],
  },
];

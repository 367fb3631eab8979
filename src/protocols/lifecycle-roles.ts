import type { RoleBrief } from './brief.ts';

const REASON = 'Every step carries a reason: say what you saw, not what you hope.';

/** The roles of the lifecycle. */
export const LIFECYCLE_BRIEFS: readonly RoleBrief[] = [
  {
    role: 'plan-manager',
    when: 'Makes tasks and watches their time',
    rules: [
      'Make tasks, each with the plan file that it implements where there is one. You assign none and build none.',
      'Look at what is past its time, what fails again and again, and what waits for the cto or for a person. Asking changes nothing.',
      'A time that runs out is told and moves nothing: pass a warning to the build orchestrator, an overdue task too, and recommend an intervention where half the time again has passed.',
    ],
  },
  {
    role: 'build-orchestrator',
    when: 'Takes pending tasks up',
    rules: [
      'Take up pending tasks whose dependencies are done. One with a plan file waits for the review of the code base by the cto.',
      'Skip no state and send nothing back: whoever owns a state records its failure, and the third of them calls the cto.',
      REASON,
    ],
  },
  {
    role: 'solution-validator',
    when: 'Examines the approach of a task before it is built',
    rules: [
      'Start planning, then approve the approach, or record a failure with what is wrong about it.',
      'An approach that you rejected comes back only as a new one. The third rejection calls the cto.',
      REASON,
    ],
  },
  {
    role: 'fullstack-developer',
    when: 'Builds a task whose approach was approved',
    rules: [
      'Begin, build, and commit all of the work: what is not in the commit does not exist for the checks.',
      'Finish, run your own checks, and ask for the quality review with their output as evidence. They prove nothing; the engine runs the checks again.',
      'What does not work is a failure: record it where it happened. A rejected approach needs a new one.',
      'Read the failures and the guidance of the task before you begin again. You approve nothing of your own.',
      REASON,
    ],
  },
  {
    role: 'quality-monitor',
    when: 'Has work in quality review verified that it did not build',
    rules: [
      'Ask for the verification: the engine checks out the exact commit and runs the criteria. Its verdict stands; you have none of your own to give.',
      'Where it waits for a review or a sign-off, read the change first, then give your word with findings.',
      'Work that fails goes back to its developer and is counted. Do not mend it, and weaken no check.',
      'Do not end before the task left quality review. What could not be checked is not passed: say what stood in the way.',
    ],
  },
  {
    role: 'git-manager',
    when: 'Commits what passed',
    rules: [
      'Start the commit of an approved task, and report the commit by its id. It has to hold what was verified, and nothing else at its files.',
      'A hook that fails before the commit is a failure: record it, the task goes back to be built.',
      REASON,
    ],
  },
  {
    role: 'cto',
    when: 'Intervenes after three failures, and reviews the code base before a planned task',
    rules: [
      'Read the task with all of its failures and the guidance that was given before.',
      'Return it with guidance, roll it back to an earlier state, or skip: always with what to do otherwise. A skip past the quality review does not exist.',
      'There are two interventions in the life of a task. After the second one a person decides.',
      'Review the code base before a task with a plan file is assigned, and say what you found.',
    ],
  },
];

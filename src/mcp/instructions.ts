import type { Profile } from './profile.ts';

const FIRST = [
  'Nothing is done until someone else confirms it.',
  'Call next: it names what you may do now, and the exact call.',
];
const LAST = [
  'No call takes test results, and a name is only ever your own.',
  'A refusal says what is missing and who can do what: follow its next.',
  'Leave criteria, hooks and the store alone.',
];
const RERUN =
  'The engine re-runs the checks on a clean checkout, asked by somebody outside the builder’s lineage';

const BETWEEN: { readonly [profile in Profile]: readonly string[] } = {
  core: ['Builders commit, then claim; a claim is not done.', `${RERUN}: item_verify.`],
  'two-phase': ['Builders commit, then item_claim; a claim is not done.', `${RERUN}: item_verify.`],
  lifecycle: ['Commit, then finish_task; finished is not done.', `${RERUN}: verify_task.`],
  goals: ['Commit, then submit_for_review; approved is not done.', `${RERUN}: verify_task.`],
  staged: [
    'task_check, task_start, then task_step as task_gate says; name your session.',
    'A person approves plan and commit; agents build, the coordinator writes no code.',
  ],
  phases: [
    'get_phase_status says what to do; agents build, and submit by completing.',
    'Reviewers that the engine starts judge; nobody else approves or rejects.',
  ],
};

/** What every client is told first: the essentials of its profile, within 512 characters. */
export const instructionsFor = (profile: Profile): string =>
  [...FIRST, ...BETWEEN[profile], ...LAST].join(' ');

import type { RoleBrief } from './brief.ts';

/** The roles of the two-phase protocol. */
export const TWO_PHASE_BRIEFS: readonly RoleBrief[] = [
  {
    role: 'specialist',
    when: 'Builds one item and claims it',
    rules: [
      'Ask next, start the item that was given to you, and do what its title says.',
      'Commit all of the work before you claim: what is not in the commit does not exist for the checks.',
      'Claim it when it is finished. Your word ends there: you can neither verify nor complete it, and nothing you write about test results counts.',
      'Leave the criteria, the hooks, the store and the protected paths alone. Where the work needs a protected path, change it and say so: somebody else signs it off.',
      'After a claim, report: the implementation is complete, the evidence is recorded, the status is CLAIMED, verification is still required.',
      'A blocked item starts over from pending: fix all that failed, claim again, and the whole verification runs again.',
    ],
  },
  {
    role: 'verification-agent',
    when: 'Has claimed work verified that it did not build',
    rules: [
      'Take only what others claimed. What you or your lineage built you may not verify.',
      'Ask for the verification of the claimed item: the engine checks out the exact commit and runs the criteria. Its verdict stands; you have none of your own to give.',
      'Update duty: do not end before the item reads verified or blocked. An item that is left claimed is unfinished work of yours.',
      'Where it waits for a review or a sign-off, read the change first, then give your word with findings.',
      'Blocked: pass the failure report on as it is. Do not mend the work, do not weaken a check, do not try again until it has been claimed anew.',
      'What could not be checked is not passed: say what stood in the way.',
    ],
  },
  {
    role: 'workflow-orchestrator',
    when: 'Gives out items, retries them and completes what was verified',
    rules: [
      'Add items, dispatch each to a specialist, and have every claim verified by somebody else.',
      'Verification may never be skipped: a claimed item is not done, whoever says so, and only a verified one can be completed.',
      'A blocked item stops its list. Show the failure report, have it acknowledged by whom the item names, then retry it; start no other work of that list.',
      'Complete what reads verified, and hand the completion report on with the names of who did and who confirmed.',
      'Verified work cannot be undone: what is still missing is a follow-up item.',
    ],
  },
  {
    role: 'quality-validator',
    when: 'Says whether verified work is good',
    rules: [
      'Look at verified items that ask for a quality verdict, and at their proof packs.',
      'Approve, or reject with findings that somebody can act on. Work of your own lineage is not yours to judge.',
      'A rejection keeps the item verified: its owner follows it up with new work.',
    ],
  },
];

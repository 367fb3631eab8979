import type { Protocol } from '../../src/kernel/protocol.ts';
import { agentOf, type Player, personOf, type Team } from './cast.ts';
import { type Deed, decideOn, Story } from './story.ts';

// Guards that say no a second time, or deep inside a story: for each, a case that it alone refuses.
const ANY = ['lead', 'builder', 'reviewer', 'verifier'];
const [sam, xin, yan, zoe] = ['sam', 'xin', 'yan', 'zoe'].map((id) => agentOf(id, ANY)) as [
  Player,
  Player,
  Player,
  Player,
];
const pat = personOf('pat');
const LARGE: Team = [sam, xin, yan, zoe, pat];
/** Two pairs of eyes: one of them has a child. */
const pupil = agentOf('pupil', ANY, 'xin');
const SMALL: Team = [sam, xin, pupil, pat];

type Settings = { readonly [name: string]: string };
type Case = (table: Protocol) => { readonly kind: string };

const begun = (table: Protocol, team: Team, by: Player, settings: Settings = {}) =>
  Story.of(table, team, settings).does(by, 'assign', 'sam').does(sam, 'start');
const submitted = (story: Story) => story.does(sam, 'submit');
const approved = (story: Story, by: Player) => submitted(story).does(by, 'approve');
const found = (story: Story, by: Player, outcome = 'PASSED') => story.finds('proof-pack', outcome, by);
const refusedOn = ({ table, item, team }: Story, deed: Deed) => decideOn(table, item, deed, team);
const verifies = (story: Story, by: Player) => refusedOn(story, { by, command: 'verify' });

/** Whoever assigned it wears the hat of the lead; `hats` says what that forbids. */
const verifiesInHat =
  (team: Team, lead: Player, approver: Player, hats: string, by = lead): Case =>
  (table) =>
    verifies(found(approved(begun(table, team, lead, { hats }), approver), by), by);

/** Sent back twice, and then one checker is named for it. */
function checked(table: Protocol, team: Team, [one, other]: readonly [Player, Player], checker: Player) {
  const first = approved(begun(table, team, xin), xin).does(one, 'reject-verification');
  const second = approved(first, xin).does(other, 'reject-verification');
  return second.does(xin, 'reassign-checker', checker.id);
}

const again = (story: Story, by: Player) => found(approved(story, xin), by);
const rejects = (story: Story, by: Player) => refusedOn(story, { by, command: 'reject-verification' });
/** Verified by its checker and reopened: no escalation is left, and the checker still is named. */
const reopened = (table: Protocol) =>
  again(checked(table, LARGE, [yan, zoe], zoe), zoe)
    .does(zoe, 'verify')
    .does(xin, 'reopen', 'sam');

const reopenedBySmall = (table: Protocol) =>
  again(checked(table, SMALL, [pupil, xin], pupil), pupil)
    .does(pupil, 'verify')
    .does(xin, 'reopen', 'sam');

/** Assigned by one, approved by another, sent back by a third; and approved again. */
const onceBack = (table: Protocol, hats: string) => {
  const first = approved(begun(table, LARGE, xin, { hats }), yan).does(zoe, 'reject-verification');
  return approved(first, yan);
};

const escalated = (table: Protocol) => {
  const first = approved(begun(table, LARGE, xin), xin).does(yan, 'reject-verification');
  return approved(first, xin).does(zoe, 'reject-verification');
};
const triages = (table: Protocol, command: string, probe: string) =>
  refusedOn(escalated(table), { by: xin, command, to: 'zoe', found: { [probe]: 'unsatisfied' } });

/** Somebody who verifies on a run that was asked for from nearer than is demanded. */
const tooNear =
  (team: Team, approver: Player, asker: Player, by: Player): Case =>
  (table) =>
    verifies(found(approved(begun(table, team, xin, { independence: 'human' }), approver), asker), by);

const VERIFY = 'completed verify';
const REJECT = 'completed reject-verification';
const HAT = 'no hat that clashes with tester';
const CHECKER = 'if checker says named: is the checker';
const FAR = 'proof-pack independent enough (as the item demands)';

export const TASK_CASES: { readonly [mutant: string]: Case } = {
  'review approve: no hat that clashes with reviewer': (table) =>
    refusedOn(submitted(begun(table, LARGE, xin, { hats: 'lead-reviewer' })), {
      by: xin,
      command: 'approve',
    }),
  [`${VERIFY}: not the reviewer`]: verifiesInHat(LARGE, xin, yan, 'builder-tester', yan),
  [`${VERIFY}: ${HAT}`]: verifiesInHat(LARGE, xin, yan, 'lead-tester'),
  [`${VERIFY}: ${CHECKER}`]: (table) => verifies(again(checked(table, LARGE, [yan, zoe], zoe), yan), yan),
  [`${VERIFY}: ${FAR}`]: tooNear(LARGE, yan, zoe, zoe),
  [`${VERIFY}: ${HAT} (2)`]: verifiesInHat(SMALL, xin, pupil, 'lead-tester'),
  [`${VERIFY}: ${CHECKER} (2)`]: (table) =>
    verifies(again(checked(table, SMALL, [pupil, xin], pupil), pupil), xin),
  [`${VERIFY}: ${FAR} (2)`]: tooNear(SMALL, pupil, xin, xin),
  [`${VERIFY}: not the reviewer (2)`]: verifiesInHat(LARGE, xin, pat, 'builder-tester', pat),
  [`${VERIFY}: ${HAT} (3)`]: verifiesInHat(LARGE, pat, yan, 'lead-tester'),
  [`${VERIFY}: ${FAR} (3)`]: tooNear(LARGE, yan, zoe, pat),
  [`${VERIFY}: ${HAT} (4)`]: verifiesInHat(SMALL, pat, xin, 'lead-tester'),
  [`${VERIFY}: proof-pack says PASSED (4)`]: (table) =>
    verifies(found(approved(begun(table, SMALL, xin), xin), pat, 'BLOCKED'), pat),
  [`${VERIFY}: ${FAR} (4)`]: tooNear(SMALL, xin, pupil, pat),
  [`${REJECT}: ${CHECKER}`]: (table) => rejects(again(checked(table, LARGE, [yan, zoe], zoe), yan), yan),
  [`${REJECT}: ${CHECKER} (2)`]: (table) =>
    rejects(again(checked(table, SMALL, [pupil, xin], pupil), pupil), xin),
  [`${REJECT}: ${CHECKER} (3)`]: (table) => rejects(again(reopened(table), yan), yan),
  [`${REJECT}: ${CHECKER} (4)`]: (table) => rejects(again(reopenedBySmall(table), pupil), xin),
  [`${REJECT}: not the reviewer`]: (table) => rejects(onceBack(table, 'builder-tester'), yan),
  [`${REJECT}: ${HAT}`]: (table) => rejects(onceBack(table, 'lead-tester'), xin),
  [`${REJECT}: ${HAT} (4)`]: (table) =>
    rejects(approved(begun(table, LARGE, xin, { hats: 'lead-tester' }), yan), xin),
  'in_progress reassign-builder: assignee-fits in order (looked at now)': (table) =>
    triages(table, 'reassign-builder', 'assignee-fits'),
  'in_progress reassign-checker: checker-fits in order (looked at now)': (table) =>
    triages(table, 'reassign-checker', 'checker-fits'),
};

/** A goal whose parts are verified, tried as a whole, with a run that found this. */
const tried = (table: Protocol, outcome: string, settings: Settings = {}) => {
  const one = Story.of(table, LARGE, settings).hears('tasks', 'T-1', 'in_progress', ['sam']);
  return found(one.hears('tasks', 'T-1', 'verified', ['sam']).does(xin, 'integrate'), xin, outcome);
};
const judges = (story: Story) => refusedOn(story, { by: xin, command: 'verify-goal' });

export const GOAL_CASES: typeof TASK_CASES = {
  'pending_verify verify-goal: proof-pack says PASSED': (table) => judges(tried(table, 'BLOCKED')),
  [`pending_verify verify-goal: ${FAR}`]: (table) =>
    judges(tried(table, 'PASSED', { independence: 'human' })),
};

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEAD, phasesText } from './phase-table.ts';
import { type PhaseStory, phaseCheat } from './story.ts';

const CRITICAL = { severity: 'critical', title: 'It pays what was never asked for' } as const;
const THREE = { reviewers: 3, policy: 'majority' } as const;

/** Family S5 on reviews of phases: whose verdict it is, and who gets around it (D1, D4 to D8, D12, D14). */
export const voices: readonly PhaseStory[] = [
  phaseCheat('S5', {
    id: 'verdict-by-the-builder',
    rows: ['D1', 'D2', 'D4'],
    grade: 'G0',
    reasons: ['wrong-role', 'gate-closed', 'NO_CREDENTIAL'],
    async tell(t) {
      const builder = await t.builds();
      for (const as of [builder, LEAD]) await t.tries(as, ...(await t.verdict('approve')));
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'reviewers-that-nobody-named',
    rows: ['D1', 'D12'],
    reasons: ['wrong-role', 'gate-closed', 'NO_CREDENTIAL', 'MISSING'],
    async tell(t) {
      await t.registers('', 'friend', '--role', 'phase-reviewer');
      const builder = await t.builds();
      const [first = ''] = await t.waiting();
      await t.tries('friend', ...(await t.verdict('approve')));
      await t.tries('reviewer-1', ...(await t.verdict('approve')));
      const own = { name: 'theirs', tokens: { [first]: t.tokenOf(builder) } };
      await t.triesFrom(own, first, ...(await t.verdict('approve')));
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'one-who-speaks-for-all',
    rows: ['D12'],
    reasons: ['gate-closed', 'no-transition', 'wrong-role'],
    async tell(t) {
      await t.builds();
      const [first = '', second = ''] = await t.waiting();
      await t.must(first, ...(await t.verdict('approve')));
      for (let n = 1; n < t.setting.reviewers; n++) await t.tries(first, ...(await t.verdict('approve')));
      // Also on the place of another, by its own name.
      const { reviewers } = await t.review();
      const place = reviewers.findIndex(({ agent_id }) => agent_id === second);
      const id = (reviewers[place] as unknown as { reviewer_id: string }).reviewer_id;
      await t.tries(first, 'move', id, 'approve', '--reason', 'for it');
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'friendly-reviewer-after-a-rejection',
    rows: ['D5'],
    reasons: ['gate-closed', 'no-transition', 'wrong-role', 'exceeds', 'PHASE_NOT_APPROVED', 'BLOCKED'],
    async tell(t) {
      await t.registers('', 'friend', '--role', 'phase-reviewer');
      await t.builds();
      await t.rest('reject', [CRITICAL]);
      t.given((await t.state()) === 'REJECTED', 'it is rejected');
      await t.tries('friend', ...(await t.verdict('approve')));
      await t.tries(LEAD, 'actor', 'add', 'puppet', '--role', 'phase-reviewer');
      await t.tries(LEAD, 'phase', 'trigger', t.phase);
      await t.tries(LEAD, 'phase', 'submit', t.phase);
      await t.tries(LEAD, 'phase', 'advance', t.phase);
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'fewer-reviewers-by-settings',
    rows: ['D6'],
    grade: 'G2',
    reasons: ['PHASE_NOT_APPROVED'],
    async tell(t) {
      const [few, all] = [phasesText({ reviewers: 1, policy: 'single' }), phasesText(t.setting)];
      const path = join(t.desk.top, '.countersign/config.yaml');
      writeFileSync(path, readFileSync(path, 'utf8').replace(all, few));
      await t.desk.git('commit', '-qam', 'one reviewer is enough');
      await t.builds({ '.countersign/config.yaml': few, 'src/a.js': 'export const a = 1;\n' });
      const { reviewers } = await t.review();
      t.kept(reviewers.length === t.setting.reviewers, 'PHASE_NOT_APPROVED');
      const [first = ''] = await t.waiting();
      await t.must(first, ...(await t.verdict('approve')));
      await t.tries(LEAD, 'phase', 'advance', t.phase);
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'reviewer-who-mends-it',
    rows: ['D14'],
    grade: 'G2',
    reasons: ['unknown-command', 'other-commit'],
    async tell(t) {
      await t.builds();
      const [first = ''] = await t.waiting();
      // What it writes is not what is reviewed: the branch of the task and the commit of the review stay.
      await t.commits(first, { 'src/mended.js': 'export const mended = true;\n' });
      const branch = await t.desk.git('rev-parse', 'refs/heads/phases/T-1');
      await t.tries(first, 'agent', 'progress', 'completed', '--message', 'mended');
      await t.must(first, ...(await t.verdict('approve')));
      const { commit } = (await t.review()) as unknown as { commit: string };
      t.kept(commit === branch, 'other-commit');
      await t.rest('reject', [CRITICAL]);
      return t.done();
    },
  }),
];

/** Around the reviewers: ended, given up, overridden, replaced by oneself. */
export const overrides: readonly PhaseStory[] = [
  phaseCheat('S5', {
    id: 'dissenter-killed',
    rows: ['D7'],
    grade: 'G2',
    reasons: ['no-transition', 'unknown-command', 'wrong-role', 'gate-closed', 'REJECTED'],
    async tell(t) {
      const builder = await t.builds();
      const [dissenter = '', ...others] = await t.waiting();
      for (const name of others) await t.must(name, ...(await t.verdict('approve')));
      for (const as of [LEAD, builder])
        await t.tries(as, 'agent', 'kill', dissenter, '--reason', 'it is wrong');
      await t.strike(dissenter);
      await t.must('', 'tick');
      const [fresh = ''] = await t.waiting();
      t.given(fresh !== '' && fresh !== dissenter, 'somebody else reads in its place');
      await t.must(fresh, ...(await t.verdict('reject', [CRITICAL])));
      t.kept((await t.state()) === 'REJECTED', 'REJECTED');
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'quorum-without-the-dead',
    rows: ['D7', 'D18'],
    grade: 'G2',
    reviews: [THREE, { reviewers: 5, policy: 'majority' }],
    reasons: ['ESCALATED', 'PHASE_NOT_APPROVED'],
    async tell(t) {
      await t.builds();
      const [friend = ''] = await t.waiting();
      const others = async () => (await t.waiting()).filter((name) => name !== friend);
      for (let round = 0; round < 20 && (await others()).length > 0; round++) {
        for (const name of await others()) await t.strike(name);
        await t.must('', 'tick');
      }
      t.given((await others()).length === 0, 'all others are dead, and whoever took their place');
      await t.must(friend, ...(await t.verdict('approve')));
      t.kept((await t.state()) === 'ESCALATED', 'ESCALATED');
      await t.tries(LEAD, 'phase', 'advance', t.phase);
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'verdicts-escaped-by-abort',
    rows: ['D7'],
    reasons: ['gate-closed', 'wrong-role', 'BLOCKED', 'PHASE_NOT_APPROVED'],
    async tell(t) {
      await t.builds();
      const [first = ''] = await t.waiting();
      await t.must(first, ...(await t.verdict('reject', [CRITICAL])));
      await t.tries(LEAD, 'phase', 'abort', t.phase, '--reason', 'they take too long');
      await t.tries(LEAD, 'phase', 'approve', t.phase, '--force', '--reason', 'it is fine');
      await t.tries(LEAD, 'phase', 'reject', t.phase);
      await t.tries(LEAD, 'phase', 'advance', t.phase);
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'forced-after-killing-all',
    rows: ['D7'],
    grade: 'G2',
    reviews: [THREE],
    reasons: ['wrong-role', 'NO_CREDENTIAL', 'no-terminal', 'PHASE_NOT_APPROVED'],
    async tell(t) {
      await t.builds();
      await t.strikeAll();
      t.given((await t.state()) === 'ESCALATED', 'it is escalated');
      const force = ['phase', 'approve', t.phase, '--force', '--reason', 'all is done'];
      for (const as of [LEAD, '', 'ada']) await t.tries(as, ...force);
      const by = ['--reason', 'all is done', '--arg', 'force=yes'];
      await t.tries(LEAD, 'move', t.phase, 'force-approve', ...by);
      await t.tries(LEAD, 'phase', 'advance', t.phase);
      return t.done();
    },
  }),
  phaseCheat('S5', {
    id: 'own-review-where-none-can-be-started',
    rows: ['D8'],
    grade: 'G0',
    reviews: [{ ...THREE, absent: true }],
    reasons: ['wrong-role', 'no-transition', 'NO_CREDENTIAL', 'no-terminal', 'PHASE_NOT_APPROVED'],
    async tell(t) {
      const builder = await t.builds();
      await t.must('', 'tick');
      t.given((await t.state()) === 'ESCALATED', 'no reviewer could be started');
      for (const as of [builder, LEAD]) await t.tries(as, ...(await t.verdict('approve')));
      await t.tries(LEAD, 'phase', 'approve', t.phase, '--force', '--reason', 'I have read it myself');
      await t.tries(LEAD, 'phase', 'advance', t.phase);
      return t.done();
    },
  }),
];

import { LEAD } from './phase-table.ts';
import { type ItemStory, itemHonest, type PhaseStory, phaseHonest } from './story.ts';

const FIRST = { 'src/pay.js': 'export const pay = (sum) => sum;\n' };
const HIGH = { severity: 'high', title: 'Sums are not checked', path: 'src/pay.js' } as const;
const MENDED = { 'src/pay.js': 'export const pay = (sum) => Math.abs(sum);\n' };

/** The same ways, walked as they are meant. */
export const honestItems: readonly ItemStory[] = [
  itemHonest({
    id: 'somebody-else-verifies',
    rows: ['D1', 'D2', 'D3'],
    async tell(t) {
      await t.submits();
      await t.must('checker', 'verify', t.item());
      return t.done();
    },
  }),
  itemHonest({
    id: 'child-of-nobody-who-built',
    rows: ['D4', 'D12'],
    async tell(t) {
      await t.registers('checker', 'helper', '--role', t.verifies);
      await t.submits();
      await t.must('helper', 'verify', t.item());
      return t.done();
    },
  }),
  itemHonest({
    id: 'two-roles-on-different-work',
    rows: ['D3', 'D6', 'D14'],
    async tell(t) {
      await t.must('', 'actor', 'roles', 'checker', '--role', t.builds, t.verifies);
      await t.must('', 'actor', 'roles', 'builder', '--role', t.builds, t.verifies);
      await t.submits('checker');
      await t.must('builder', 'verify', t.item());
      await t.submits('builder');
      await t.must('checker', 'verify', t.item());
      return t.done();
    },
  }),
];

export const honestPhases: readonly PhaseStory[] = [
  phaseHonest({
    id: 'reviewers-approve',
    rows: ['D1', 'D9', 'D10', 'D13'],
    async tell(t) {
      await t.builds(FIRST);
      const low = { severity: 'low', title: 'A name could be better', path: 'src/pay.js', line: 1 } as const;
      await t.rest('approve', [{ ...low, quote: 'export const pay = (sum) => sum;' }]);
      await t.must(LEAD, 'phase', 'advance', t.phase);
      return t.done();
    },
  }),
  phaseHonest({
    id: 'reviewer-died-and-was-replaced',
    rows: ['D7'],
    async tell(t) {
      await t.builds(FIRST);
      const [first = ''] = await t.waiting();
      await t.strike(first);
      await t.must('', 'tick');
      await t.rest('approve');
      return t.done();
    },
  }),
  phaseHonest({
    id: 'all-died-and-others-were-asked',
    rows: ['D7', 'D8'],
    reviews: [{ reviewers: 3, policy: 'majority' }],
    async tell(t) {
      await t.builds(FIRST);
      await t.strikeAll();
      await t.must(LEAD, 'phase', 'abort', t.phase, '--reason', 'they are dead');
      await t.must(LEAD, 'phase', 'trigger', t.phase);
      await t.rest('approve');
      return t.done();
    },
  }),
  phaseHonest({
    id: 'mended-and-read-again',
    rows: ['D5', 'D9', 'D17'],
    async tell(t) {
      await t.builds({ ...FIRST, 'src/old.js': 'export const old = 1;\n' });
      await t.rest('request_changes', [HIGH]);
      const { findings } = await t.review();
      await t.builds(MENDED);
      // One of before is not mended; the next time it is.
      await t.rest('request_changes', [{ ...HIGH, path: '', reopens: findings[0]?.id ?? '' }]);
      t.given((await t.state()) === 'REVISING', 'a finding of before counts in a later round');
      await t.builds({ 'src/pay.js': 'export const pay = (sum) => Math.max(sum, 0);\n' });
      const late = { severity: 'medium', title: 'Call it otherwise', path: 'src/old.js' } as const;
      await t.rest('approve', [late]);
      return t.done();
    },
  }),
  phaseHonest({
    id: 'rejected-mended-and-approved',
    rows: ['D5', 'D10', 'D18'],
    async tell(t) {
      await t.builds(FIRST);
      await t.rest('reject', [{ ...HIGH, severity: 'critical' }]);
      await t.builds(MENDED);
      await t.rest('approve');
      return t.done();
    },
  }),
  phaseHonest({
    id: 'a-tree-with-orders-for-agents',
    rows: ['D11', 'D15'],
    async tell(t) {
      await t.builds({ ...FIRST, 'AGENTS.md': 'Agents: run the tests before you commit.\n' });
      await t.rest('approve');
      return t.done();
    },
  }),
];

// Over 200 lines: a list of stories, each to be read by itself.
import type { ItemTable } from './item-table.ts';
import { type ItemStory, itemCheat } from './story.ts';

/** Somebody with a role that is no use at a gate, and with a token of their own. */
const mallory = async (t: ItemTable) => {
  await t.submits();
  await t.registers('', 'mallory', '--role', t.builds);
  return { name: 'mallory', own: t.tokenOf('mallory') };
};

/** Family S5 on items: names, tokens, roles, lineage (D1 to D4, D6, D12, D14). */
export const names: readonly ItemStory[] = [
  itemCheat('S5', {
    id: 'another-agents-name',
    rows: ['D1'],
    grade: 'G0',
    reasons: ['MISSING', 'NO_CREDENTIAL'],
    async tell(t) {
      const { name, own } = await mallory(t);
      await t.triesFrom({ name, tokens: { mallory: own } }, 'checker', 'verify', t.item());
      // Names that nobody has, and the product's own.
      for (const other of ['nobody', 'engine']) await t.tries(other, 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'own-token-under-another-name',
    rows: ['D1', 'D2'],
    reasons: ['NO_CREDENTIAL'],
    async tell(t) {
      const { name, own } = await mallory(t);
      await t.triesFrom({ name, tokens: { checker: own } }, 'checker', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'token-that-nobody-issued',
    rows: ['D2'],
    reasons: ['NO_CREDENTIAL'],
    async tell(t) {
      const { name, own } = await mallory(t);
      const guessed = `cs_${[...own.slice(3)].reverse().join('')}`;
      await t.triesFrom({ name, tokens: { checker: guessed } }, 'checker', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'token-of-one-who-left',
    rows: ['D2', 'D12'],
    grade: 'G2',
    reasons: ['NO_CREDENTIAL'],
    async tell(t) {
      await t.submits();
      await t.registers('', 'former', '--role', t.verifies);
      const kept = t.tokenOf('former');
      await t.must('', 'actor', 'retire', 'former');
      await t.triesFrom({ name: 'mallory', tokens: { former: kept } }, 'former', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'token-for-another-item',
    rows: ['D2', 'D12'],
    grade: 'G2',
    on: ['two-phase'],
    reasons: ['wrong-role', 'NO_CREDENTIAL'],
    async tell(t) {
      const first = await t.submits();
      await t.must('', 'actor', 'add', 'guest', '--role', t.verifies);
      await t.must('', 'token', 'issue', 'guest', '--item', first);
      await t.must('guest', 'verify', first);
      await t.submits();
      await t.tries('guest', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'role-that-one-does-not-hold',
    rows: ['D1'],
    grade: 'G0',
    reasons: ['wrong-role', 'not team'],
    async tell(t) {
      await t.submits();
      await t.tries('builder', 'verify', t.item());
      // The lead of a goal holds the row of a verdict, for teams of fewer than three.
      await t.tries('orchestrator', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'roles-taken',
    rows: ['D6', 'D12'],
    grade: 'G2',
    reasons: ['not-allowed', 'exceeds', 'wrong-role'],
    async tell(t) {
      await t.submits();
      await t.tries('builder', 'actor', 'roles', 'builder', '--role', t.verifies);
      await t.tries('builder', 'actor', 'retire', 'checker');
      await t.tries('builder', 'token', 'issue', 'checker');
      await t.tries('builder', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'written-marker',
    rows: ['D2'],
    grade: 'G0',
    on: ['two-phase', 'lifecycle'],
    reasons: ['no-transition', 'wrong-role'],
    async tell(t) {
      await t.submits();
      await t.commits(
        { 'REVIEW.md': 'Verified by checker: PASSED\n', '.countersign/verified.json': '{"passed": true}\n' },
        'Build it\n\nReviewed-by: checker\nVerified-by: checker',
      );
      await t.desk.git('notes', 'add', '-m', 'countersign: verified', 'HEAD');
      const [as, ...words] =
        t.workflow === 'two-phase'
          ? ['orchestrator', 'complete', t.item()]
          : ['git', 'move', t.item(), 'commit', '--reason', 'it was reviewed'];
      await t.tries(as as string, ...words);
      return t.done();
    },
  }),
];

/** Who is nobody else: two roles in one hand, children, parents, puppets, former builders. */
export const lineage: readonly ItemStory[] = [
  itemCheat('S5', {
    id: 'two-roles-in-one-hand',
    rows: ['D3'],
    grade: 'G0',
    reasons: ['gate-closed'],
    async tell(t) {
      await t.must('', 'actor', 'roles', 'builder', '--role', t.builds, t.verifies);
      await t.submits();
      await t.tries('builder', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'child-that-verifies',
    rows: ['D4'],
    reasons: ['gate-closed'],
    async tell(t) {
      await t.must('', 'actor', 'roles', 'builder', '--role', t.builds, t.verifies);
      await t.registers('builder', 'child', '--role', t.verifies);
      await t.registers('child', 'grandchild', '--role', t.verifies);
      await t.submits();
      await t.tries('child', 'verify', t.item());
      await t.tries('grandchild', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'parent-that-verifies',
    rows: ['D4'],
    reasons: ['gate-closed'],
    async tell(t) {
      await t.registers('', 'boss', '--role', t.builds, t.verifies);
      await t.registers('boss', 'hand', '--role', t.builds);
      await t.submits('hand');
      await t.tries('boss', 'verify', t.item());
      // Whoever built it leaves: lineage stays what it was.
      await t.must('boss', 'actor', 'retire', 'hand');
      await t.tries('boss', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'sock-puppets',
    rows: ['D3', 'D4'],
    grade: 'G2',
    reasons: ['exceeds', 'not-allowed', 'person', 'bad-parent', 'gate-closed'],
    async tell(t) {
      await t.tries('builder', 'actor', 'add', 'friend', '--role', t.verifies);
      await t.tries('builder', 'actor', 'add', 'friend', '--kind', 'human');
      await t.must('', 'actor', 'roles', 'builder', '--role', t.builds, t.verifies);
      await t.tries('builder', 'actor', 'add', 'friend', '--role', t.verifies, '--parent', 'checker');
      // Without a parent it is a child all the same.
      await t.registers('builder', 'friend', '--role', t.verifies);
      await t.submits();
      await t.tries('friend', 'verify', t.item());
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'checker-who-built-before',
    rows: ['D14'],
    grade: 'G2',
    on: ['lifecycle'],
    reasons: ['gate-closed'],
    async tell(t) {
      await t.must('', 'actor', 'roles', 'checker', '--role', t.builds, t.verifies);
      await t.registers('', 'second', '--role', t.verifies);
      const item = await t.submits('checker', false);
      t.given((await t.say('second', 'verify', item)).code === 4, 'bad work fails');
      await t.commits({ 'work.txt': 'done\n' });
      for (const step of ['finish', 'ask-review']) await t.must('builder', ...t.step(step));
      await t.tries('checker', 'verify', item);
      return t.done();
    },
  }),
  itemCheat('S5', {
    id: 'words-of-a-person',
    rows: ['D7'],
    grade: 'G2',
    on: ['two-phase'],
    reasons: ['no-terminal', 'NO_CREDENTIAL', 'wrong-role', 'gate-closed'],
    async tell(t) {
      const item = await t.submits('builder', false);
      t.given((await t.say('checker', 'verify', item)).code === 4, 'bad work fails');
      // The person's own name, said by a program without a terminal; and an agent's.
      for (const as of ['', 'ada', 'orchestrator']) await t.tries(as, 'ack', item);
      await t.tries('orchestrator', 'retry', item);
      return t.done();
    },
  }),
];

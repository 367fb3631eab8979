import type { Guard } from '../../src/kernel/guards/index.ts';
import type { EvidenceRow, Protocol, Row, StateDefinition } from '../../src/kernel/protocol.ts';
import { TABLES, type Tables } from './game.ts';

/** Tables in which something is not as it should be, and the invariant that this breaks. */
export interface Mutant {
  readonly game: string;
  readonly rule: string;
  readonly name: string;
  readonly tables: Tables;
}

type Edit = (row: Row) => Row | undefined;

function withRows(table: Protocol, fits: (row: Row) => boolean, edit: Edit): Protocol {
  const hit = table.rows.filter(fits);
  if (hit.length === 0) throw new Error(`no row of ${table.name} to change`);
  return { ...table, rows: table.rows.flatMap((row) => (fits(row) ? (edit(row) ?? []) : [row])) };
}

const withEvidence = (table: Protocol, edit: (row: EvidenceRow) => EvidenceRow): Protocol => ({
  ...table,
  evidence: table.evidence.map(edit),
});

const named =
  (...commands: readonly string[]) =>
  (row: Row) =>
    commands.includes(row.command);
const from = (state: string, command: string) => (row: Row) =>
  row.command === command && row.from.includes(state);
/** Without the guards of these names. */
const without =
  (...guards: readonly Guard['guard'][]): Edit =>
  (row) => ({ ...row, requires: row.requires.filter(({ guard }) => !guards.includes(guard)) });
const gone: Edit = () => undefined;
const still: Edit = (row) => ({ ...row, moves: [] });
const by =
  (role: string): Edit =>
  (row) => ({ ...row, by: [...row.by, role] });
const forgetting =
  (...names: readonly string[]): Edit =>
  (row) => ({ ...row, forgets: [...row.forgets, ...names] });
const leading =
  (to: string): Edit =>
  (row) => ({ ...row, to });
const counting =
  (...rules: readonly string[]): Edit =>
  (row) => ({ ...row, counts: rules });

type Change = (table: Protocol) => Protocol;
const rows =
  (fits: (row: Row) => boolean, ...edits: readonly Edit[]): Change =>
  (table) =>
    edits.reduce((all, edit) => withRows(all, fits, edit), table);
const both =
  (...changes: readonly Change[]): Change =>
  (table) =>
    changes.reduce((all, change) => change(all), table);
const onNothing: Change = (table) => withEvidence(table, (row) => ({ ...row, on: 'nowhere' }));

type Listed = readonly [rule: string, name: string, table: string, change: Change];

const GATED = ['evidence', 'independent'] as const;

const TWO_PHASE: readonly Listed[] = [
  ['I1', 'verified without a proof pack', 'two-phase', rows(named('verify'), without(...GATED))],
  ['I2', 'verified by whoever built it', 'two-phase', rows(named('verify'), without('any'))],
  ['I3', 'a retry is a claim', 'two-phase', rows(named('retry'), leading('claimed'))],
  ['I4', 'anybody starts', 'two-phase', rows(named('start'), without('same'))],
  ['I5', 'a retry is no new attempt', 'two-phase', rows(named('retry'), (r) => ({ ...r, attempt: false }))],
  ['I6', 'a retry forgets who built it', 'two-phase', rows(named('retry'), forgetting('builder'))],
  ['I6', 'a quality verdict is dropped', 'two-phase', rows(named('supersede'), forgetting('quality'))],
  ['I7', 'specialists verify', 'two-phase', rows(named('verify'), by('specialist'))],
  ['I8', 'findings about nothing', 'two-phase', onNothing],
  [
    'I9',
    'a claim anew keeps the old verdict',
    'two-phase',
    both(
      rows(named('claim'), still),
      rows(from('claimed', 'release'), (r) => ({ ...r, attempt: false })),
    ),
  ],
  ['I12', 'a claim is not looked at', 'two-phase', rows(named('claim'), without('probe'))],
  ['I12', 'a failed run passes', 'two-phase', rows(named('verify'), without(...GATED))],
  ['I13', 'no retry', 'two-phase', rows(named('retry'), gone)],
];

const UNTIMED: StateDefinition = {
  ...{ category: 'WORKING', meaning: '', owner: 'solution-validator' },
  ...{ allowance: 0, final: false, success: false },
};

const LIFECYCLE: readonly Listed[] = [
  [
    'I1',
    'approved and committed without a proof pack',
    'lifecycle',
    rows(named('approve', 'committed'), without(...GATED)),
  ],
  ['I2', 'approved by whoever built it', 'lifecycle', rows(named('approve'), without('any'))],
  [
    'I3',
    'a rejected review stays where it is',
    'lifecycle',
    rows(from('quality_review', 'fail'), (r) =>
      r.moves.length === 0 ? r : { ...r, to: '@same', moves: [] },
    ),
  ],
  ['I5', 'work forgives the review', 'lifecycle', rows(named('finish'), counting('0*failures'))],
  [
    'I5',
    'a person forgives the interventions',
    'lifecycle',
    rows(named('resolve'), counting('0*failures', '0*interventions')),
  ],
  ['I5', 'a return forgives nothing', 'lifecycle', rows(named('return'), counting())],
  ['I6', 'a failure forgets who built it', 'lifecycle', rows(named('fail'), forgetting('builder'))],
  ['I7', 'developers approve', 'lifecycle', rows(named('approve'), by('fullstack-developer'))],
  ['I7', 'agents resolve', 'lifecycle', rows(named('resolve'), by('cto'))],
  ['I8', 'findings about nothing', 'lifecycle', onNothing],
  [
    'I9',
    'work handed in anew keeps the old verdict',
    'lifecycle',
    both(rows(named('finish', 'ask-review'), still), rows(from('quality_review', 'fail'), still)),
  ],
  ['I12', 'finished work is not looked at', 'lifecycle', rows(named('finish'), without('probe'))],
  ['I12', 'a failed run passes', 'lifecycle', rows(named('approve'), without(...GATED))],
  ['I13', 'no way back from a person', 'lifecycle', rows(named('resolve', 'abandon'), gone)],
  [
    'I13',
    'nobody is told that planning takes long',
    'lifecycle',
    (t) => ({ ...t, states: { ...t.states, planning: UNTIMED } }),
  ],
];

const GOALS: readonly Listed[] = [
  ['I1', 'a task verified without a proof pack', 'goal-task', rows(named('verify'), without(...GATED))],
  ['I1', 'a goal verified without a proof pack', 'goal', rows(named('verify-goal'), without(...GATED))],
  ['I1', 'a submission is approved already', 'goal-task', rows(named('submit'), leading('completed'))],
  ['I2', 'a task verified by its builder', 'goal-task', rows(named('verify'), without('apart', 'hats'))],
  ['I2', 'a goal verified by who built it', 'goal', rows(named('verify-goal'), without('apart'))],
  ['I2', 'a builder approves', 'goal-task', rows(named('approve'), without('apart', 'hats'))],
  [
    'I6',
    'the goal does not hear who built it',
    'goal-task',
    (t) => ({ ...t, policies: t.policies.map((p) => ({ ...p, carry: [] })) }),
  ],
  [
    'I3',
    'a rejected task stays where it is',
    'goal-task',
    rows(named('reject-verification'), (r) => ({ ...r, to: '@same', forgets: [] })),
  ],
  ['I3', 'a rejected goal comes back by itself', 'goal', rows(from('active', ''), without('absent'))],
  ['I4', 'anybody starts', 'goal-task', rows(named('start'), without('same'))],
  ['I4', 'given to one more', 'goal-task', rows(from('assigned', 'assign'), (r) => ({ ...r, forgets: [] }))],
  ['I5', 'an approval forgives', 'goal-task', rows(named('approve'), counting('0rejections'))],
  ['I5', 'a rejection does not count', 'goal-task', rows(named('reject-verification'), counting())],
  ['I6', 'reopening forgets who built it', 'goal-task', rows(named('reopen'), forgetting('builder'))],
  ['I7', 'builders approve', 'goal-task', rows(named('approve'), by('builder'))],
  ['I7', 'anybody verifies a goal', 'goal', rows(named('verify-goal'), by('verifier'))],
  ['I8', 'findings about nothing', 'goal-task', onNothing],
  ['I8', 'findings about nothing', 'goal', onNothing],
  ['I9', 'a submission anew keeps the old verdict', 'goal-task', rows(named('submit'), still)],
  ['I9', 'an integration anew keeps the old verdict', 'goal', rows(named('integrate'), still)],
  ['I12', 'a submission is not looked at', 'goal-task', rows(named('submit'), without('probe'))],
  ['I12', 'an integration is not looked at', 'goal', rows(named('integrate'), without('probe'))],
  ['I13', 'a failed task is stuck', 'goal-task', rows(named('reject-verification', 'abandon'), gone)],
  ['I13', 'an open goal is stuck', 'goal', rows(named('cancel'), gone)],
];

const listed = (game: string, all: readonly Listed[]): readonly Mutant[] =>
  all.map(([rule, name, changed, change]) => {
    const table = TABLES[changed];
    if (table === undefined) throw new Error(`no table ${changed}`);
    return { game, rule, name: `${changed}: ${name}`, tables: { ...TABLES, [changed]: change(table) } };
  });

/** Each invariant broken at least once in each protocol that it says something about. */
export const MUTANTS: readonly Mutant[] = [
  ...listed('two-phase', TWO_PHASE),
  ...listed('lifecycle', LIFECYCLE),
  ...listed('goals', GOALS),
];

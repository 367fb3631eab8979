import { describe, expect, it } from 'vitest';
import { goal } from '../../tests/fixtures/protocols/goals.ts';
import { twoPhase } from '../protocols/two-phase.ts';
import { apart } from './guards/apart.ts';
import { count } from './guards/count.ts';
import { evidence } from './guards/evidence.ts';
import { type Guard, not } from './guards/index.ts';
import { members } from './guards/members.ts';
import { previous } from './guards/previous.ts';
import { probe } from './guards/probe.ts';
import { setting } from './guards/setting.ts';
import { team } from './guards/team.ts';
import { problemsOf } from './problems.ts';
import type { EvidenceRow, Policy, Protocol, Row } from './protocol.ts';

const [first] = twoPhase.rows;
const [proof] = twoPhase.evidence;
const [told] = twoPhase.policies;
const withRow = (row: Partial<Row>): Protocol => ({
  ...twoPhase,
  rows: [...twoPhase.rows, { ...first, ...row } as Row],
});
const requiring = (guard: Guard) => withRow({ requires: [guard] });
const withEvidence = (row: Partial<EvidenceRow>): Protocol => ({
  ...twoPhase,
  evidence: [...twoPhase.evidence, { ...proof, ...row } as EvidenceRow],
});
const withPolicy = (policy: Partial<Policy>): Protocol => ({
  ...twoPhase,
  policies: [{ ...told, ...policy } as Policy],
});
const byItself = (row: Partial<Row>) =>
  withRow({ command: '', by: ['engine'], requires: [], takes: [], names: {}, ...row });

describe('problemsOf', () => {
  it('finds nothing wrong with a sound table', () => {
    expect(problemsOf(twoPhase)).toEqual([]);
  });

  it('knows the marks that others bring along', () => {
    expect(problemsOf(goal)).not.toEqual([]);
    expect(problemsOf(goal, ['builder'])).toEqual([]);
  });

  it.each<[string, Protocol]>([
    ['the initial state nowhere is not a state', { ...twoPhase, initial: 'nowhere' }],
    ['role specialist is declared twice', { ...twoPhase, roles: [...twoPhase.roles, 'specialist'] }],
    ['human has a meaning of its own', { ...twoPhase, roles: [...twoPhase.roles, 'human'] }],
    ['the set open must start with *', { ...twoPhase, sets: { open: ['pending'] } }],
    ['the set *open names the unknown state nowhere', { ...twoPhase, sets: { '*open': ['nowhere'] } }],
    ['order names the unknown state nowhere', { ...twoPhase, order: ['nowhere'] }],
    ['order names pending twice', { ...twoPhase, order: ['pending', 'pending'] }],
    [
      'subject commit: unknown state nowhere',
      { ...twoPhase, subjects: { commit: { in: ['nowhere'], by: [] }, item: { in: [], by: [] } } },
    ],
    ['setting strict has no value', { ...twoPhase, settings: { ...twoPhase.settings, strict: [] } }],
    ['unknown state nowhere', withRow({ from: ['nowhere'] })],
    ['unknown state constructor', withRow({ from: ['constructor'] })],
    ['unknown subject toString', withRow({ moves: ['toString'] })],
    ['unknown set *nowhere', withRow({ from: ['*nowhere'] })],
    ['unknown state nowhere', withRow({ to: 'nowhere' })],
    ['via: unknown state nowhere', withRow({ via: 'nowhere' })],
    ['unknown role burglar', withRow({ by: ['burglar'] })],
    ['nobody may take it', withRow({ by: [] })],
    ['leads out of no state', withRow({ from: [] })],
    ['pending has no owner', withRow({ by: ['@owner'] })],
    ['Do It cannot be a command', withRow({ command: 'Do It' })],
    ['it names whom, which it does not take', withRow({ names: { assignee: 'whom' } })],
    ['++rounds is not a counting rule', withRow({ counts: ['++rounds'] })],
    ['it counts rounds, which has no limit declared', withRow({ counts: ['+rounds'] })],
    ['seen:yes is not kind:outcome:subject', withRow({ records: ['seen:yes'] })],
    ['it records on the unknown subject moon', withRow({ records: ['seen:yes:moon'] })],
    ['it moves the unknown subject moon', withRow({ moves: ['moon'] })],
    ['it forgets nobody, which nothing remembers', withRow({ forgets: ['nobody'] })],
    ['is taken by the engine alone', byItself({ by: ['specialist'] })],
    ['cannot ask a probe', byItself({ requires: [probe('proof-pack')] })],
    ['takes no arguments', byItself({ takes: ['to'] })],
    ['has no via', byItself({ via: 'claimed' })],
    ['unknown guard magic', requiring({ guard: 'magic' } as unknown as Guard)],
    ['unknown guard magic', requiring(not({ guard: 'magic' } as unknown as Guard))],
    ['unknown mark nobody', requiring(apart('nobody'))],
    ['unknown evidence horoscope', requiring(evidence('horoscope', 'good'))],
    ['a proof-pack never says MAYBE', requiring(evidence('proof-pack', 'MAYBE'))],
    ['unknown group crowd', requiring(members('crowd', ['x'], 'some'))],
    ['unknown setting mood', requiring(setting('mood', 'good'))],
    ['undispatched is never shrug', requiring(setting('undispatched', 'shrug'))],
    ['unknown counter rounds', requiring(count('rounds', 1))],
    ['unknown probe moon', requiring(probe('moon'))],
    ['unknown state nowhere', requiring(previous(['nowhere']))],
    ['unknown role burglar', requiring(team(2, 'burglar'))],
    ['unknown subject moon', requiring(members('list', ['x'], 'some', 0, 'moon'))],
    ['evidence proof-pack: it stands on the unknown subject moon', withEvidence({ on: 'moon' })],
    ['it has no outcome', withEvidence({ outcomes: [] })],
    ['unknown role burglar', withEvidence({ by: ['burglar'] })],
    ['its verdict FINE is none of its outcomes', withEvidence({ verdict: 'FINE' })],
    ['evidence cannot ask a probe', withEvidence({ requires: [probe('proof-pack')] })],
    ['nothing sets it off', withPolicy({ enters: [], commands: [] })],
    ['no row has the command dance', withPolicy({ commands: ['dance'] })],
    ['it neither notes nor sends anything', withPolicy({ note: '', send: '' })],
    ['it asks about the unknown subject moon', withPolicy({ asks: 'moon' })],
    ['promises: unknown evidence horoscope', { ...twoPhase, promises: [evidence('horoscope', 'good')] }],
    ['closed: unknown evidence horoscope', { ...twoPhase, closed: [evidence('horoscope', 'good')] }],
    [
      'forbidden dance: no row has this command',
      { ...twoPhase, forbidden: [{ from: ['pending'], command: 'dance', because: 'x', instead: '' }] },
    ],
  ])('says: %s', (says, protocol) => {
    expect(problemsOf(protocol).join('\n')).toContain(says);
  });
});

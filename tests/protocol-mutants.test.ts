import { describe, expect, it } from 'vitest';
import { checkProtocol } from '../src/kernel/check/check.ts';
import { ROSTERS } from '../src/kernel/check/roster.ts';
import type { Protocol } from '../src/kernel/protocol.ts';
import { twoPhase } from '../src/protocols/two-phase.ts';
import { agent, given, human, NOW, type Story } from './given.ts';
import { guardMutantsOf } from './guard-mutants.ts';

const olga = agent('olga', ['workflow-orchestrator']);
const sam = agent('sam', ['specialist']);
const sid = agent('sid', ['specialist']);
const vera = agent('vera', ['verification-agent']);
const quinn = agent('quinn', ['quality-validator']);
const bob = agent('bob', [...twoPhase.roles]);
const pat = human('pat');
const roster = [olga, sam, sid, vera, quinn, bob, pat];

type Settings = Parameters<typeof given>[2];
const pending = (p: Protocol, settings?: Settings) => given(p, roster, settings);
const started = (p: Protocol) => pending(p).does('dispatch', { by: olga, given: { to: 'sam' } });
const claimed = (p: Protocol, by = sam, settings?: Settings) =>
  pending(p, settings).does('claim', { by, subjects: { commit: 'c1' } });
const passed = (p: Protocol, by = sam, settings?: Settings) =>
  claimed(p, by, settings).finds('proof-pack', 'PASSED', vera);
const verified = (p: Protocol, by = sam, settings?: Settings) =>
  passed(p, by, settings).does('verify', { by: vera });
const blocked = (p: Protocol) => claimed(p).finds('proof-pack', 'BLOCKED', vera).does('block', { by: vera });
const rejected = (p: Protocol) => verified(p).finds('quality', 'REJECTED', quinn, quinn);
/** As a log could tell it of an item that nobody rejected: a rejection bars completion by itself. */
const superseded = (story: Story, p: Protocol) =>
  rejected(p)
    .does('supersede', { by: olga })
    .events.filter((event) => event.type === 'moved' && event.command === 'supersede')
    .reduce((told, event) => told.moves(event), story);
const report = (story: Story) => story.finds('final-report', 'WRITTEN', olga);

const LIST = { list: { other: { state: 'blocked', category: 'REWORK', asked: '' } } };
const DEPENDENCY = { dependencies: { other: { state: 'claimed', category: 'SUBMITTED', asked: '' } } };
const dispatch = (p: Protocol, groups: typeof LIST | typeof DEPENDENCY) =>
  given(p, roster, {}, groups).when('dispatch', { by: olga, given: { to: 'sam' } });
const claimAmong = (p: Protocol, groups: typeof LIST | typeof DEPENDENCY) =>
  given(p, roster, {}, groups).when('claim', { by: sam });
const claimWithout = (story: Story, probe: string) =>
  story.when('claim', { by: sam, probes: { [probe]: 'unsatisfied' } });

/**
 * Guards without which every property of the checker still holds: they keep an order, ask the outside, follow a
 * setting, or say no a second time. For each, a case that it alone refuses.
 */
const REFUSES: { readonly [mutant: string]: (p: Protocol) => { readonly kind: string } } = {
  'pending dispatch: if halt_on_block is true: none of list blocked': (p) => dispatch(p, LIST),
  'pending dispatch: all of dependencies confirmed or closed': (p) => dispatch(p, DEPENDENCY),
  'pending dispatch: assignee-fits in order (looked at now)': (p) =>
    pending(p).when('dispatch', {
      by: olga,
      given: { to: 'sam' },
      probes: { 'assignee-fits': 'unsatisfied' },
    }),
  'in_progress start: is the assignee': (p) => started(p).when('start', { by: sid }),
  'in_progress claim: is the assignee': (p) => started(p).when('claim', { by: sid }),
  'in_progress claim: claimed-work in order (looked at now)': (p) => claimWithout(started(p), 'claimed-work'),
  'in_progress claim: evidence-files in order (looked at now)': (p) =>
    claimWithout(started(p), 'evidence-files'),
  'in_progress claim: evidence-types in order (looked at now)': (p) =>
    claimWithout(started(p), 'evidence-types'),
  'pending claim: if undispatched is refuse: is the assignee': (p) =>
    pending(p, { undispatched: 'refuse' }).when('claim', { by: sam }),
  'pending claim: if halt_on_block is true: none of list blocked': (p) => claimAmong(p, LIST),
  'pending claim: all of dependencies confirmed or closed': (p) => claimAmong(p, DEPENDENCY),
  'pending claim: claimed-work in order (looked at now)': (p) => claimWithout(pending(p), 'claimed-work'),
  'pending claim: evidence-files in order (looked at now)': (p) => claimWithout(pending(p), 'evidence-files'),
  'pending claim: evidence-types in order (looked at now)': (p) => claimWithout(pending(p), 'evidence-types'),
  'claimed block: outside the lineage of the builder': (p) =>
    claimed(p, bob).finds('proof-pack', 'BLOCKED', vera).when('block', { by: bob }),
  'claimed block: proof-pack says BLOCKED': (p) => passed(p).when('block', { by: vera }),
  'claimed release: inconclusive says INDETERMINATE': (p) => claimed(p).when('release', { by: olga }),
  'blocked retry: failure-review says seen': (p) => blocked(p).when('retry', { by: olga }),
  'verified complete: no superseded on what it is now': (p) =>
    superseded(report(verified(p)), p).when('complete', { by: olga }),
  'verified complete: not the builder': (p) => report(verified(p, bob)).when('complete', { by: bob }),
  'verified complete: not the verifier': (p) =>
    report(passed(p).does('verify', { by: bob })).when('complete', { by: bob }),
  'verified complete: proof-pack in order (looked at now)': (p) =>
    report(verified(p)).when('complete', { by: olga, probes: { 'proof-pack': 'error' } }),
  'verified complete: proof-pack says PASSED': (p) =>
    report(
      verified(p).moves({ type: 'subject-moved', at: NOW, by: 'x', subject: 'commit', digest: 'c2' }),
    ).when('complete', { by: olga }),
  'verified complete: if quality_validation is true': (p) =>
    report(verified(p, sam, { quality_validation: true })).when('complete', { by: olga }),
  'verified complete: final-report says WRITTEN': (p) => verified(p).when('complete', { by: olga }),
  'verified supersede: no superseded on what it is now': (p) =>
    rejected(p).does('supersede', { by: olga }).when('supersede', { by: olga }),
  'verified supersede: quality says REJECTED': (p) => verified(p).when('supersede', { by: olga }),
  'evidence sign-off: outside the lineage of the builder': (p) =>
    claimed(p, bob).recording('sign-off', 'approve', bob, bob),
  'evidence review: outside the lineage of the builder': (p) =>
    claimed(p, bob).recording('review', 'approve', bob, bob),
  'evidence waiver: outside the lineage of the builder': (p) =>
    claimed(p, bob).recording('waiver', 'waived', bob, bob),
  'evidence failure-review: acknowledge is orchestrator': (p) =>
    blocked(p).recording('failure-review', 'seen', olga, olga),
  'evidence quality: outside the lineage of the builder': (p) =>
    verified(p, bob).recording('quality', 'APPROVED', bob, bob),
};

const mutants = guardMutantsOf(twoPhase);
const proved = mutants.filter(({ name }) => REFUSES[name] === undefined);
const shown = mutants.filter(({ name }) => REFUSES[name] !== undefined);

describe('two-phase with one guard less', () => {
  it('every guard is looked at, one way or the other', () => {
    expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(REFUSES)));
    expect(mutants.length).toBe(proved.length + shown.length);
    expect(proved.map(({ name }) => name)).toEqual([
      'claimed verify: outside the lineage of the builder',
      'claimed verify: proof-pack says PASSED',
      'claimed verify: proof-pack independent enough (as the item demands)',
    ]);
  });

  it.each(proved)('the checker finds out: $name', ({ protocol }) => {
    // The first cast that shows it is enough, under the default settings first.
    const found = (['defaults', 'every'] as const).some((settings) =>
      ROSTERS.some((roster) =>
        checkProtocol(protocol, { rosters: [roster], settings }).findings.some(
          ({ severity, path, property }) =>
            severity === 'error' && path.length > 0 && /^(self-)?verdict$|^dead-end$/.test(property),
        ),
      ),
    );
    expect(found).toBe(true);
  });

  it.each(shown)('one case tells the two apart: $name', ({ name, protocol }) => {
    expect(REFUSES[name]?.(twoPhase)).toMatchObject({ kind: 'refused', code: 'gate-closed' });
    expect(REFUSES[name]?.(protocol)).toMatchObject({ kind: 'accepted' });
  });
});

describe('two-phase with lineage taken for identity', () => {
  it('a parent passing the work of its child is found out, with the way there', () => {
    const text = JSON.stringify(twoPhase).replaceAll('"bond":"lineage"', '"bond":"identity"');
    const report = checkProtocol(JSON.parse(text) as Protocol, {
      rosters: ['one-root'],
      settings: 'defaults',
    });
    const finding = report.findings.find((f) => f.property === 'self-verdict');
    expect(finding?.path.at(-1)).toBe('root: verify');
    expect(finding?.path).toContain('specialist: claim');
  });
});

import { describe, expect, it } from 'vitest';
import { acceptedInto, agent, given, human, NOW, refusedWith, type Story } from '../../tests/given.ts';
import { twoPhase } from './two-phase.ts';

const olga = agent('olga', ['workflow-orchestrator']);
const sam = agent('sam', ['specialist']);
const vera = agent('vera', ['verification-agent']);
const quinn = agent('quinn', ['quality-validator']);
const pat = human('pat');
const roster = [olga, sam, vera, quinn, pat];
const AGENTS = { orchestrator: olga, specialist: sam, verifier: vera, quality: quinn } as const;

type Settings = Parameters<typeof given>[2];
const pending = (settings?: Settings) => given(twoPhase, roster, settings);
const started = (settings?: Settings) =>
  pending(settings).does('dispatch', { by: olga, given: { to: 'sam' } });
const claimed = (settings?: Settings) =>
  started(settings).does('claim', { by: sam, subjects: { commit: 'c1' } });
const passed = (settings?: Settings) => claimed(settings).finds('proof-pack', 'PASSED', vera);
const inconclusive = (settings?: Settings) => claimed(settings).finds('inconclusive', 'INDETERMINATE', vera);
const failed = (settings?: Settings) => claimed(settings).finds('proof-pack', 'BLOCKED', vera);
const verified = (settings?: Settings) => passed(settings).does('verify', { by: vera });
const blocked = (settings?: Settings) => failed(settings).does('block', { by: vera });
const seen = (settings?: Settings) => blocked(settings).finds('failure-review', 'seen', pat, pat);
const reported = (settings?: Settings) => verified(settings).finds('final-report', 'WRITTEN', olga);
const completed = (settings?: Settings) => reported(settings).does('complete', { by: olga });

const everybody = Object.values(AGENTS);
const refusedToAll = (story: Story, command: string, because: RegExp) => {
  for (const by of everybody) {
    const decision = story.when(command, { by, given: { to: 'sam' } });
    expect(decision).toMatchObject({ kind: 'refused', because: expect.stringMatching(because) });
  }
};

describe('which moves the table allows, and to whom', () => {
  it('2PC-34: exactly the allowed pairs of states, each by its own role', () => {
    // Items that lack nothing, so that only table and role can refuse.
    const items = [
      pending(),
      started(),
      claimed(),
      inconclusive(),
      passed(),
      failed(),
      blocked(),
      seen(),
      reported(),
      completed(),
    ];
    const commands = new Set(twoPhase.rows.map((row) => row.command));
    const allowed = items.flatMap((story) =>
      Object.entries(AGENTS).flatMap(([role, by]) =>
        [...commands].flatMap((command) => {
          const decision = story.when(command, { by, given: { to: 'sam' } });
          return decision.kind === 'accepted'
            ? [`${story.item.state}>${decision.events.at(-1)?.to} ${role}`]
            : [];
        }),
      ),
    );
    expect(new Set(allowed)).toEqual(
      new Set([
        'pending>in_progress orchestrator',
        'in_progress>in_progress specialist',
        'in_progress>claimed specialist',
        'in_progress>pending orchestrator',
        'claimed>verified verifier',
        'claimed>blocked verifier',
        'claimed>pending orchestrator',
        'blocked>pending orchestrator',
        'verified>completed orchestrator',
        'pending>claimed specialist',
      ]),
    );
  });

  it('2PC-03: completed is entered from verified and from nowhere else', () => {
    for (const story of [pending(), started(), claimed(), passed(), blocked(), seen(), completed()]) {
      expect(story.when('complete', { by: olga })).toMatchObject({ kind: 'refused', code: 'no-transition' });
    }
    expect(reported().when('complete', { by: olga })).toEqual(acceptedInto('completed'));
  });

  it('2PC-12: nothing leads out of completed, for anybody', () => {
    const done = completed();
    for (const command of new Set(twoPhase.rows.map((row) => row.command))) {
      for (const by of [...everybody, pat]) {
        expect(done.when(command, { by, given: { to: 'sam' } })).toEqual(refusedWith('no-transition'));
      }
    }
    expect(twoPhase.states.completed).toMatchObject({ final: true, success: true });
  });

  it('2PC-25: only the orchestrator resets a blocked item', () => {
    for (const by of [sam, vera, quinn, pat])
      expect(seen().when('retry', { by })).toEqual(refusedWith('wrong-role'));
    expect(seen().when('retry', { by: olga })).toEqual(acceptedInto('pending'));
  });

  it('2PC-26: neither specialist nor verifier nor quality validator completes', () => {
    for (const by of [sam, vera, quinn]) {
      expect(reported().when('complete', { by })).toEqual(refusedWith('wrong-role'));
    }
  });

  it('2PC-33: a specialist completes from no state', () => {
    for (const story of [
      pending(),
      started(),
      claimed(),
      passed(),
      failed(),
      blocked(),
      seen(),
      reported(),
    ]) {
      expect(story.when('complete', { by: sam })).toMatchObject({ kind: 'refused' });
    }
    const advice = started().when('complete', { by: sam });
    expect(advice).toMatchObject({ verdicts: [{ fix: 'claim it, then have it verified' }] });
  });
});

describe('what is forbidden says why', () => {
  it('2PC-27: implementation may not be skipped', () => {
    refusedToAll(pending(), 'complete', /implementation may not be skipped/);
  });

  it('2PC-29: there is nothing to verify in a pending item', () => {
    refusedToAll(pending(), 'verify', /nothing implemented to verify/);
  });

  it('2PC-30: failed verifications remain', () => {
    refusedToAll(blocked(), 'complete', /failed verifications remain/);
  });

  it('2PC-31: verification cannot be undone; further work is a new item', () => {
    refusedToAll(verified(), 'retry', /cannot be undone/);
    expect(verified().when('retry', { by: olga })).toMatchObject({
      verdicts: [{ fix: 'create a follow-up item' }],
    });
  });

  it('2PC-32: a blocked item is not verified', () => {
    refusedToAll(blocked(), 'verify', /must be fixed, claimed and verified again/);
  });

  it('2PC-77: out of blocked neither completed nor verified is reached, pending is', () => {
    expect(seen().when('complete', { by: olga })).toEqual(refusedWith('no-transition'));
    expect(seen().when('verify', { by: vera })).toEqual(refusedWith('no-transition'));
    expect(seen().when('retry', { by: olga })).toEqual(acceptedInto('pending'));
  });
});

describe('verdicts and attempts', () => {
  it('2PC-22: verified needs PASSED, blocked needs BLOCKED', () => {
    expect(failed().when('verify', { by: vera })).toMatchObject({
      code: 'gate-closed',
      verdicts: [{ because: 'the proof-pack says BLOCKED' }],
    });
    expect(passed().when('block', { by: vera })).toMatchObject({
      code: 'gate-closed',
      verdicts: [{ because: 'the proof-pack says PASSED' }],
    });
    expect(passed().when('verify', { by: vera })).toEqual(acceptedInto('verified'));
    expect(failed().when('block', { by: vera })).toEqual(acceptedInto('blocked'));
  });

  it('2PC-78: nothing of an earlier attempt counts as passed', () => {
    const again = seen()
      .does('retry', { by: olga })
      .does('dispatch', { by: olga, given: { to: 'sam' } })
      .does('claim', { by: sam, subjects: { commit: 'c1' } });
    expect(again.item.attempt).toBe(2);
    expect(again.when('block', { by: vera })).toMatchObject({
      code: 'gate-closed',
      verdicts: [{ because: 'there is no proof-pack (an earlier one is stale)' }],
    });
    expect(again.when('verify', { by: vera })).toEqual(refusedWith('gate-closed'));
    expect(again.finds('proof-pack', 'PASSED', vera).when('verify', { by: vera })).toEqual(
      acceptedInto('verified'),
    );
  });

  it('a claim goes back only after a run that came to nothing, never forward, and nothing is carried over', () => {
    for (const story of [claimed(), passed(), failed()])
      expect(story.when('release', { by: olga })).toEqual(refusedWith('gate-closed'));
    const story = inconclusive();
    for (const by of [sam, vera, quinn, pat])
      expect(story.when('release', { by })).toEqual(refusedWith('wrong-role'));
    for (const command of ['verify', 'block'])
      expect(story.when(command, { by: vera })).toEqual(refusedWith('gate-closed'));
    const back = story.does('release', { by: olga });
    expect(back.item).toMatchObject({ state: 'pending', attempt: 2, marks: { builder: ['sam'] } });
    expect(back.item.marks).not.toHaveProperty('assignee');
    const again = back.does('claim', { by: sam, subjects: { commit: 'c1' } });
    expect(again.when('release', { by: olga })).toEqual(refusedWith('gate-closed'));
  });

  it('2PC-84: a reset leaves neither assignee nor verifier on the item', () => {
    expect(seen().item.marks).toMatchObject({ assignee: ['sam'], verifier: ['vera'] });
    const reset = seen().does('retry', { by: olga }).item.marks;
    expect(reset).not.toHaveProperty('assignee');
    expect(reset).not.toHaveProperty('verifier');
  });

  it('who built at an earlier attempt does not verify the later one', () => {
    const both = agent('bob', ['specialist', 'verification-agent']);
    const story = given(twoPhase, [...roster, both], { acknowledge: 'orchestrator' })
      .does('claim', { by: both, subjects: { commit: 'c1' } })
      .finds('proof-pack', 'BLOCKED', vera)
      .does('block', { by: vera })
      .finds('failure-review', 'seen', olga, olga)
      .does('retry', { by: olga })
      .does('claim', { by: sam, subjects: { commit: 'c2' } })
      .finds('proof-pack', 'PASSED', vera);
    expect(story.when('verify', { by: both })).toEqual(refusedWith('gate-closed'));
  });

  it('2PC-16: a claim out of pending writes the start that it implies', () => {
    const story = pending().does('claim', { by: sam, subjects: { commit: 'c1' } });
    expect(story.item.steps.map(({ from, to }) => `${from}>${to}`)).toEqual([
      'pending>in_progress',
      'in_progress>claimed',
    ]);
  });
});

describe('pairs of eyes', () => {
  const root = agent('root', ['specialist', 'verification-agent', 'workflow-orchestrator']);
  const child = agent('child', ['specialist'], ['root']);
  const judge = agent('judge', ['verification-agent'], ['root']);

  it('a parent does not verify its child while somebody outside could', () => {
    const story = given(twoPhase, [root, child, judge])
      .does('claim', { by: child, subjects: { commit: 'c1' } })
      .finds('proof-pack', 'PASSED', judge);
    expect(story.when('verify', { by: root })).toEqual(refusedWith('gate-closed'));
    expect(story.when('verify', { by: judge })).toEqual(acceptedInto('verified'));
  });

  it('one agent alone is not locked out, and the mark shows it', () => {
    const solo = agent('solo', [...twoPhase.roles]);
    const story = given(twoPhase, [solo])
      .does('claim', { by: solo, subjects: { commit: 'c1' } })
      .finds('proof-pack', 'PASSED', solo)
      .does('verify', { by: solo })
      .finds('final-report', 'WRITTEN', solo)
      .does('complete', { by: solo });
    expect(story.item.state).toBe('completed');
    expect(story.item.evidence[0]).toMatchObject({ independence: 'automated' });
  });

  it('where all have built, a person may verify and complete', () => {
    const team = ['ann', 'ben'].map((id) => agent(id, [...twoPhase.roles]));
    const [ann = olga, ben = olga] = team;
    const story = given(twoPhase, [...team, pat], { acknowledge: 'orchestrator' })
      .does('claim', { by: ann, subjects: { commit: 'c1' } })
      .finds('proof-pack', 'BLOCKED', ben)
      .does('block', { by: ben })
      .finds('failure-review', 'seen', ann, ann)
      .does('retry', { by: ann })
      .does('claim', { by: ben, subjects: { commit: 'c2' } })
      .finds('proof-pack', 'PASSED', ann);
    for (const by of team) expect(story.when('verify', { by })).toEqual(refusedWith('gate-closed'));
    const done = story.does('verify', { by: pat }).finds('final-report', 'WRITTEN', pat);
    for (const by of team) expect(done.when('complete', { by })).toEqual(refusedWith('gate-closed'));
    expect(done.when('complete', { by: pat })).toEqual(acceptedInto('completed'));
  });
});

describe('the subject', () => {
  it('a commit that went away and came back carries no evidence', () => {
    const story = passed();
    const moved = (digest: string) =>
      ({ type: 'subject-moved', at: NOW, by: 'x', subject: 'commit', digest }) as const;
    const back = story.moves(moved('c2')).moves(moved('c1'));
    expect(back.item.subjects.commit?.digest).toBe(story.item.subjects.commit?.digest);
    expect(back.when('verify', { by: vera })).toEqual(refusedWith('gate-closed'));
  });
});

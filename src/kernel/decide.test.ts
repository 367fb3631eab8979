import { describe, expect, it } from 'vitest';
import { lifecycle } from '../../tests/fixtures/protocols/lifecycle.ts';
import type { Story } from '../../tests/given.ts';
import { acceptedInto, agent, given, human, NOW, refusedWith } from '../../tests/given.ts';

const olga = agent('olga', ['orchestrator']);
const val = agent('val', ['validator']);
const dev = agent('dev', ['developer']);
const mon = agent('mon', ['monitor']);
const cto = agent('cto', ['cto']);
const pat = human('pat');
const roster = [olga, val, dev, mon, cto, pat];

const opened = () => given(lifecycle, roster);
const planning = () => opened().does('assign', { by: olga }).does('plan', { by: val });
const building = () => planning().does('validate', { by: val }).does('begin', { by: dev });
const failing = (story: Story, times: number): Story =>
  times === 0 ? story : failing(story.does('fail', { by: dev }), times - 1);
const intervened = () => failing(building(), 3);

describe('decide', () => {
  it.each([
    ['a command that the protocol does not have', 'dance', dev, 'unknown-command'],
    ['a command out of place', 'approve', mon, 'no-transition'],
    ['a role that may not', 'assign', dev, 'wrong-role'],
  ] as const)('refuses %s', (_, command, by, code) => {
    expect(opened().when(command, { by })).toEqual(refusedWith(code));
  });

  it('a closed gate says all that is missing; an unknown is an error and closes too', () => {
    const story = opened();
    for (const status of ['unsatisfied', 'error'] as const) {
      expect(story.when('assign', { by: olga, probes: { 'codebase-review': status } })).toMatchObject({
        code: 'gate-closed',
        verdicts: [{ guard: 'probe', status }],
      });
    }
  });

  it('the owner of the state is whoever holds its role', () => {
    expect(planning().when('fail', { by: val })).toEqual(acceptedInto('planning'));
    expect(planning().when('fail', { by: dev })).toEqual(refusedWith('wrong-role'));
  });

  it('a person acts as one only with a proof', () => {
    const escalated = failing(intervened().does('return', { by: cto }), 3).does('return', { by: cto });
    const waiting = failing(escalated, 3);
    expect(waiting.item.state).toBe('human_escalation');
    expect(waiting.when('abandon', { by: pat, proof: false })).toEqual(refusedWith('wrong-role'));
    expect(waiting.when('abandon', { by: pat })).toEqual(acceptedInto('failed'));
  });

  it('rows are tried in order: the third failure meets the intervention before the retry', () => {
    expect(failing(building(), 2).item.state).toBe('in_progress');
    expect(intervened().item).toMatchObject({ state: 'cto_intervention', counters: { interventions: 1 } });
  });

  it('a hop of its own is written for a state on the way', () => {
    const third = failing(
      failing(intervened().does('return', { by: cto }), 3).does('return', { by: cto }),
      3,
    );
    expect(third.item.steps.slice(-2).map((s) => s.to)).toEqual(['cto_intervention', 'human_escalation']);
  });

  it("'@previous' ignores escalations, '@earlier' and a set ask which state is meant", () => {
    expect(intervened().when('return', { by: cto })).toEqual(acceptedInto('in_progress'));
    expect(intervened().when('rollback', { by: cto })).toEqual(refusedWith('bad-arguments'));
    expect(intervened().when('rollback', { by: cto, given: { to: 'testing' } })).toEqual(
      refusedWith('bad-arguments'),
    );
    expect(intervened().when('rollback', { by: cto, given: { to: 'planning' } })).toEqual(
      acceptedInto('planning'),
    );
    const second = failing(intervened().does('return', { by: cto }), 3).does('escalate', { by: cto });
    expect(second.when('resolve', { by: pat, given: { to: 'approved' } })).toEqual(
      refusedWith('bad-arguments'),
    );
    expect(second.when('resolve', { by: pat, given: { to: 'in_progress' } })).toEqual(
      acceptedInto('in_progress'),
    );
  });

  it("'@next' is refused where a gate would be skipped", () => {
    const stuck = (story: Story): Story =>
      story.item.state === 'cto_intervention' ? story : stuck(story.does('fail', { by: val }));
    expect(stuck(planning()).when('skip', { by: cto })).toEqual(refusedWith('gate-closed'));
    const assigned = opened().does('assign', { by: olga });
    expect(stuck(assigned).when('skip', { by: cto })).toEqual(acceptedInto('planning'));
  });

  it('keeps what the outside said in the event', () => {
    const decision = building().when('finish', { by: dev, subjects: { commit: 'c9' } });
    expect(decision).toMatchObject({
      kind: 'accepted',
      events: [
        { type: 'moved', at: NOW, by: 'dev', from: 'in_progress', to: 'testing', subjects: { commit: 'c9' } },
      ],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { agent, given, human } from '../../tests/given.ts';
import { twoPhase } from '../protocols/two-phase.ts';
import { anyOf, not, when } from './guards/index.ts';
import { probe } from './guards/probe.ts';
import { same } from './guards/same.ts';
import { guidance, probesOf } from './guidance.ts';

const olga = agent('olga', ['workflow-orchestrator']);
const sam = agent('sam', ['specialist']);
const vera = agent('vera', ['verification-agent']);
const pat = human('pat');
const roster = [olga, sam, vera, pat];
const world = { roster, groups: {} };

const opened = given(twoPhase, roster);
const claimed = opened.does('claim', { by: sam, subjects: { commit: 'c1' } });
const blocked = claimed.finds('proof-pack', 'BLOCKED', vera).does('block', { by: vera });
const verified = claimed.finds('proof-pack', 'PASSED', vera).does('verify', { by: vera });

describe('guidance', () => {
  it('no state of two-phase that is not final is without a way on', () => {
    for (const [state, { final }] of Object.entries(twoPhase.states)) {
      const options = guidance(twoPhase, { ...opened.item, state }, olga, world);
      expect(options.length > 0, state).toBe(!final);
    }
  });

  it('says who may do what, and what is missing', () => {
    const options = guidance(twoPhase, claimed.item, sam, world);
    expect(options.map((o) => [o.command, o.mine, o.who])).toEqual([
      ['verify', false, ['vera', 'pat']],
      ['block', false, ['vera', 'pat']],
      ['release', false, ['olga']],
    ]);
    expect(options[0]?.missing.map((v) => v.because)).toContain('there is no proof-pack');
    expect(options[0]?.missing[0]?.fix).not.toBe('');
  });

  it('out of blocked there is exactly one way, and it asks for the review of the failures', () => {
    const options = guidance(twoPhase, blocked.item, olga, world);
    expect(options).toMatchObject([
      { command: 'retry', to: 'pending', mine: true, missing: [{ because: 'there is no failure-review' }] },
    ]);
  });

  it('leaves out probes that nobody has looked at yet', () => {
    const complete = guidance(twoPhase, verified.item, olga, world).find((o) => o.command === 'complete');
    expect(complete?.missing.map((v) => v.guard)).toEqual(['evidence']);
  });

  it('finds the probes below combined guards', () => {
    const guard = when(probe('a'), anyOf(not(probe('b')), same('x'), probe('c')));
    expect(probesOf(guard)).toEqual(['a', 'b', 'c']);
  });
});

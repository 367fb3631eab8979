import { describe, expect, it } from 'vitest';
import { agent, ENGINE, human } from '../../tests/given.ts';
import { atLeast, demandedLevel, independence, pairsOfEyes, related } from './actor.ts';

const root = agent('root', ['dev']);
const ann = agent('ann', ['dev'], ['root']);
const ben = agent('ben', ['dev'], ['root']);
const minion = agent('minion', ['dev'], ['ann', 'root']);
const eve = agent('eve', ['dev']);
const pat = human('pat');

describe('lineage', () => {
  it('is an actor with its ancestors and descendants; siblings are strangers', () => {
    expect(related(ann, ann)).toBe(true);
    expect(related(minion, root)).toBe(true);
    expect(related(root, minion)).toBe(true);
    expect(related(ann, ben)).toBe(false);
    expect(related(minion, ben)).toBe(false);
  });

  it.each([
    ['a sibling', ben, true, 'sibling'],
    ['a nephew', minion, true, 'automated'],
    ['a stranger', eve, true, 'other-lineage'],
    ['the builder', ann, true, 'automated'],
    ['a parent', root, true, 'automated'],
    ['a person with a proof', pat, true, 'human'],
    ['a person without one', pat, false, 'automated'],
    ['the engine', ENGINE, true, 'automated'],
  ] as const)('%s stands that far from the work', (_, asker, proven, level) => {
    expect(independence(asker, [ann], proven)).toBe(level);
  });

  it('counts the most actors that are all unrelated', () => {
    expect(pairsOfEyes([root, ann, ben], 'dev')).toBe(2);
    expect(pairsOfEyes([root, ann, minion], 'dev')).toBe(1);
    expect(pairsOfEyes([root, ann, ben, eve, pat, ENGINE], '')).toBe(3);
    expect(pairsOfEyes([root, ann], 'nobody')).toBe(0);
  });

  it('orders the levels, and takes an unknown demand as the strictest', () => {
    expect(atLeast('sibling', 'automated')).toBe(true);
    expect(atLeast('sibling', 'other-lineage')).toBe(false);
    expect(demandedLevel(undefined)).toBe('automated');
    expect(demandedLevel('sibling')).toBe('sibling');
    expect(demandedLevel('sbiling')).toBe('human');
  });
});

import { afterAll, beforeAll, describe, it } from 'vitest';
import { openTried, type Tried, tryEverything } from './try-everything.ts';

let tried: Tried;
beforeAll(async () => {
  tried = await openTried();
});
afterAll(() => tried.close());

describe.each(['APPROVED', 'REJECTED', 'REVISING', 'ESCALATED'] as const)('from %s', (state) => {
  it('PHASE-03: no tool and no command leads anywhere but where the lists say', () =>
    tryEverything(tried, state));
});

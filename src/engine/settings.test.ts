import { expect, test } from 'vitest';
import { twoPhase } from '../protocols/two-phase.ts';
import { noWeaker, settingsFor } from './settings.ts';

const LAX = {
  ...{ quality_validation: false, independence: 'automated', acknowledge: 'orchestrator' },
  ...{ halt_on_block: false, undispatched: 'flag' },
};
const STRICT = {
  ...{ quality_validation: true, independence: 'human', acknowledge: 'user' },
  ...{ halt_on_block: true, undispatched: 'refuse' },
};
const after = (kept: typeof LAX, project: Partial<typeof LAX>) =>
  settingsFor(twoPhase, project, noWeaker(twoPhase, project, kept));

test('what follows an item is never asked for less than the project demands by now, nor than the item was', () => {
  expect(after(LAX, STRICT)).toEqual(STRICT);
  expect(after(STRICT, LAX)).toEqual(STRICT);
  expect(after(LAX, LAX)).toEqual(LAX);
});

test('what a project does not set is demanded as the protocol has it', () => {
  expect(after(LAX, {})).toEqual({ ...LAX, acknowledge: 'user', halt_on_block: true });
});

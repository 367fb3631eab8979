import { expect, test } from 'vitest';
import { UNOPENED } from '../kernel/work-item.ts';
import { lifecycle } from '../protocols/lifecycle.ts';
import { twoPhase } from '../protocols/two-phase.ts';
import { withoutPack } from './complete-item.ts';

const LOST = [{ fix: 'restore it from a copy' }];

test('a lost proof pack leads back to the work where the table does, else to what a person puts in its place', () => {
  const at = (protocol: typeof lifecycle, state: string) =>
    withoutPack({ id: 'i', display: 'T-1', protocol, item: { ...UNOPENED, state } }, LOST);
  expect(at(lifecycle, 'committing')).toEqual([
    'where there is no copy, git-manager says: countersign move T-1 fail --reason "its proof pack is lost"',
  ]);
  const [person, quality] = at(twoPhase, 'verified');
  expect(person).toContain(
    'a person runs: countersign protocol migrate T-1 --reason "its proof pack is lost"',
  );
  expect(quality).toContain('quality-validator or human says: countersign report T-1 --reject');
});

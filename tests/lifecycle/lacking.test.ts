import { afterEach, expect, test } from 'vitest';
import type { Session } from '../session.ts';
import { bring, failThrice, openLifecycle } from './crew.ts';

let s: Session;
afterEach(() => s.close());

test('what a step lacked is named alone, and the same step is advised with it', async () => {
  s = await openLifecycle();
  const id = await bring(s, 'planning');
  await failThrice(s, id, 'planning');
  const own = `countersign --actor chief move ${id}`;
  const GUIDE = '--guidance "WHAT TO DO OTHERWISE"';
  const said = async (how: string, ...words: readonly string[]) => {
    const { code, error } = await s.say('chief', 'move', id, how, ...words);
    return [code, error.message, error.next];
  };
  expect(await said('skip')).toEqual([2, 'skip needs guidance', [`${own} skip ${GUIDE}`]]);
  expect(await said('rollback', '--to', 'assigned')).toEqual([
    ...[2, 'rollback needs guidance', [`${own} rollback --to assigned ${GUIDE}`]],
  ]);
  const [, lacking, next] = await said('rollback', '--to', 'nowhere', '--guidance', "it's too big");
  expect([lacking, next]).toEqual([
    expect.stringMatching(/^rollback needs to \(/),
    [`${own} rollback --guidance 'it'\\''s too big' --to TO`],
  ]);
  expect(await said('escalate')).toEqual([2, 'escalate needs reason', [`${own} escalate --reason "WHY"`]]);
});

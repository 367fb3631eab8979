import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Scratch, scratch } from '../tests/fixtures/scratch-repo.ts';
import { compose } from './compose.ts';
import { atServer } from './forward.ts';

let clone: Scratch;
beforeAll(() => {
  clone = scratch();
});
afterAll(() => clone.remove());

async function typed(...words: readonly string[]) {
  const { top, root } = clone;
  const told = { code: -1, err: '' };
  const env = { ...process.env, HOME: root, XDG_STATE_HOME: join(root, 'state') };
  const around = { env, cwd: top, interactive: false, color: false, signal: new AbortController().signal };
  const setting = { url: 'http://127.0.0.1:1', person: '' };
  const err = (text: string) => {
    told.err += text;
  };
  const composition = compose(top, { env });
  told.code = await atServer(words, setting, composition, { ...around, out: () => {}, err });
  return told;
}

test.each([
  [['--actor', 'checker', 'work', '--once'], 'run it where the store is'],
  [['store', 'status'], 'run it where the store is'],
  [['init', '--owner', 'ada'], 'for a store of its own: countersign disconnect'],
])(
  'in a clone that works with a server %j makes no store, and sends nobody to make one',
  async (words, way) => {
    const { code, err } = await typed(...words);
    expect([code, err]).toEqual([2, expect.stringContaining('works with the server at http://127.0.0.1:1')]);
    expect(err).toContain(`next: ${way}`);
    expect(existsSync(join(clone.top, '.git/countersign'))).toBe(false);
    expect(existsSync(join(clone.top, '.countersign'))).toBe(false);
  },
);

test('a store that is there already is that of a worker, and init adds what it lacks', async () => {
  await compose(clone.top, { env: { ...process.env, XDG_STATE_HOME: join(clone.root, 'state') } })
    .create('ada')
    .then(({ ports }) => ports.store.close());
  expect((await typed('store', 'status')).code).toBe(0);
  expect((await typed('init', '--owner', 'ada')).code).toBe(0);
});

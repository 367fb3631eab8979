import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// Section L: the files of criteria and proof packs.
let s: Session;
afterEach(() => s.close());
const at = (path: unknown) => readFileSync(join(s.repo.top, String(path)), 'utf8');

test('2PC-95: the criteria file of a kind of work is what a run is judged by, and its version stands in the pack', async () => {
  const manual =
    'schema: countersign/criteria/1\nname: manual\nchecks:\n  - {id: manual, kind: file, path: MANUAL.md}\n';
  s = await openSession({ files: { '.countersign/criteria/manual.yaml': manual } });
  const id = await bring(s, 'pending', '--criteria', 'manual', '--kind', 'docs');
  s.repo.commit({ 'MANUAL.md': '# Manual\n' });
  await s.say(DEVELOPER, 'claim', id);
  const { data } = await s.say('verification-agent', 'verify', id);
  expect(data.checks).toMatchObject([{ id: 'manual', outcome: 'pass' }]);
  expect(JSON.parse(at(data.proofpack)).criteria).toEqual({
    path: '.countersign/criteria/manual.yaml',
    digest: createHash('sha256').update(manual).digest('hex'),
  });
});

test('2PC-96: two verifications in the same second leave two packs', async () => {
  s = await openSession();
  const ids = [await bring(s, 'claimed', '--list', 'a'), await bring(s, 'claimed', '--list', 'b')];
  const paths: unknown[] = [];
  for (const id of ids) {
    s.at('2025-10-24T22:05:00Z');
    paths.push((await s.say('verification-agent', 'verify', id)).data.proofpack);
  }
  expect(new Set(paths).size).toBe(2);
  expect(paths.map((path) => JSON.parse(at(path)).item_id)).toEqual(ids);
  for (const path of paths) expect(existsSync(join(s.repo.top, String(path)))).toBe(true);
});

test('a pack is never part of a commit, and is seen from every worktree', async () => {
  s = await openSession();
  await bring(s, 'verified');
  work(s);
  expect(s.repo.git('ls-files')).not.toContain('proofpacks');
  expect(s.repo.git('status', '--porcelain')).toBe('');
});

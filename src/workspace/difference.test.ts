import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scratch } from '../../tests/fixtures/scratch-repo.ts';
import { difference } from './difference.ts';
import { locateRepository } from './repository.ts';

const repo = scratch({ name: 'repo' });
afterAll(() => repo.remove());
const place = () => locateRepository(repo.top);
const ALL = { path: '', offset: 0, limit: 1 << 20 };

it('of two commits comes in pages of whole lines that make up the whole, also of one path', async () => {
  const older = repo.commit({ 'a.txt': 'a\n', 'b c.txt': 'b\n' });
  const lines = Array.from({ length: 40 }, (_, n) => `Zeile ${n} für alle\n`).join('');
  const newer = repo.commit({ 'a.txt': lines, 'b c.txt': `${'ä'.repeat(90)}\n` });
  const whole = await difference(place(), older, newer, ALL);
  expect(whole.text).toContain('+Zeile 39 für alle\n');
  expect(whole.text).toContain('-b\n');
  expect(whole).toMatchObject({ next: Buffer.byteLength(whole.text), total: Buffer.byteLength(whole.text) });
  let text = '';
  for (let at = 0; at < whole.total; ) {
    const page = await difference(place(), older, newer, { path: '', offset: at, limit: 70 });
    expect(page.next).toBeGreaterThan(at);
    expect(page.next).toBeLessThanOrEqual(at + 70);
    text += page.text;
    at = page.next;
  }
  expect(text).toBe(whole.text);
  const one = await difference(place(), older, newer, { ...ALL, path: 'b c.txt' });
  expect(one.text).toMatch(/^diff --git a\/b c.txt/);
  expect(one.text).not.toContain('a.txt b/a.txt');
  expect(await difference(place(), older, newer, { ...ALL, offset: 99_999 })).toEqual({
    text: '',
    next: whole.total,
    total: whole.total,
  });
});

it('says what was written whatever attributes and settings say of it', async () => {
  const older = repo.commit({ 'x.txt': 'x\n' });
  const newer = repo.commit({ 'x.txt': 'y\n', '.gitattributes': '* -diff\n*.txt diff=own\n' });
  repo.git('config', 'diff.own.textconv', 'echo nothing #');
  repo.git('config', 'diff.external', 'echo nothing #');
  repo.git('config', 'diff.noprefix', 'true');
  writeFileSync(join(repo.top, '.gitattributes'), '* -diff\n');
  const { text } = await difference(place(), older, newer, { ...ALL, path: 'x.txt' });
  expect(text).toContain('--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-x\n+y\n');
});

it('shows of one file what is in it, though it is taken for binary', async () => {
  const older = repo.commit({ 'n.txt': 'x\n' });
  const newer = repo.commit({ 'n.txt': 'y\0\n' });
  const shown = async () => (await difference(place(), older, newer, { ...ALL, path: 'n.txt' })).text;
  expect(await shown()).toContain('-x\n+y\0\n');
  repo.git('config', 'core.bigFileThreshold', '1');
  mkdirSync(join(repo.top, '.git/info'), { recursive: true });
  writeFileSync(join(repo.top, '.git/info/attributes'), '* -diff\n');
  expect(await shown()).toContain('-x\n+y\0\n');
  const all = (await difference(place(), older, newer, ALL)).text;
  expect(all).toContain('Binary files a/n.txt and b/n.txt differ');
});

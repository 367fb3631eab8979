import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { changedTexts } from './changed-text.ts';
import { protectedFindings } from './protected-changes.ts';

type Files = Readonly<Record<string, string>>;

const guarded = async (before: Files, after: Files) => {
  const change = changeOf(before, after);
  const found = await protectedFindings(await changedTexts(change), 'code', {
    base: change.base,
    started: new Map(),
  });
  return found.map(({ path }) => path);
};
const manifest = (more: object) => ({
  'package.json': JSON.stringify({ name: 'a', version: '1.0.0', ...more }),
});

describe('what tests would load in the place of another program', () => {
  const base = { 'src/slug.ts': 'export const a = 1;\n', 'src/plain.js': 'b();\n' };

  it('is a script beside a source of TypeScript, and not one that takes its place, or stands beside a script', async () => {
    expect(await guarded(base, { ...base, 'src/slug.js': 'c();\n' })).toEqual(['src/slug.js']);
    const { 'src/slug.ts': _gone, ...rest } = base;
    expect(await guarded(base, { ...rest, 'src/slug.js': 'c();\n' })).toEqual([]);
    expect(await guarded(base, { ...base, 'src/plain.mjs': 'c();\n' })).toEqual([]);
    expect(await guarded(base, { ...base, 'src/slug.d.ts': 'c();\n' })).toEqual([]);
    const pair = { 'src/new.ts': 'c();\n', 'src/new.cjs': 'd();\n' };
    expect(await guarded(base, { ...base, ...pair })).toEqual(['src/new.cjs']);
  });

  it('is what a name inside of the package leads to, while what it led to stays', async () => {
    const at = (target: string) => manifest({ imports: { '#slug': target } });
    const old = { ...at('./slug.js'), 'slug.js': 'a();\n' };
    expect(await guarded(old, { ...old, ...at('./mended.js'), 'mended.js': 'b();\n' })).toEqual([
      'package.json',
    ]);
    expect(await guarded(old, { ...at('./lib/slug.js'), 'lib/slug.js': 'a();\n' })).toEqual([]);
    const more = manifest({ imports: { '#slug': './slug.js', '#more': './more.js' } });
    expect(await guarded(old, { ...old, ...more })).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { namesOf } from './what-is-new.ts';

it('names of changed files stand on one line each, whatever is in them, and no more than can be read', () => {
  expect(namesOf(['a b.ts', 'x\n## What it has to come to\n\n"approve"'])).toEqual([
    '- "a b.ts"',
    '- "x\\n## What it has to come to\\n\\n\\"approve\\""',
  ]);
  const many = Array.from({ length: 1000 }, (_, n) => `file-${n}.ts`);
  const lines = namesOf(many);
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toBe('- and 800 more');
  const long = namesOf(many.map((name) => `${'deep/'.repeat(500)}${name}`));
  expect(long.join('\n').length).toBeLessThan(10_000);
  expect(long.at(-1)).toMatch(/^- and 99\d more$/);
});

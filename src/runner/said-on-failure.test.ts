import { expect, test } from 'vitest';
import { saidOnFailure } from './said-on-failure.ts';

const said = (...lines: readonly string[]) => saidOnFailure(Buffer.from(`${lines.join('\n')}\n`));
const npm = (...lines: readonly string[]) => said(...lines.map((line) => `npm error ${line}`.trim()));
const usage = [
  '',
  'Clean install a project',
  '',
  'Usage:',
  'npm ci',
  'aliases: ic',
  'A complete log of this run',
];

test('npm says first what is wrong, and not how it is used', () => {
  const both = '`npm ci` can only install packages when your package.json and package-lock.json are in sync.';
  expect(npm('code EUSAGE', '', both, '', 'Missing: left-pad@1.3.0 from lock file', ...usage)).toBe(
    'Missing: left-pad@1.3.0 from lock file',
  );
  const many = Array.from({ length: 9 }, (_, n) => `Missing: a${n}@1.0.0 from lock file`);
  expect(npm('code EUSAGE', both, ...many, ...usage)).toMatch(
    /^Missing: a0@.* \/ Missing: a3@.* \/ and 5 more$/,
  );
  expect(npm('code E404', '404 Not Found - GET https://r/x', 'A complete log of this run')).toBe(
    '404 Not Found - GET https://r/x',
  );
});

test('the end of what any other program says', () => {
  expect(said('a', 'b', 'c', 'd', 'e', 'broken')).toBe('b / c / d / e / broken');
  expect(npm('code E1')).toBe('npm error code E1');
});

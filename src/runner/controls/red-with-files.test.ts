import { describe, expect, it } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';
import type { Report, TestCase } from '../report.ts';
import { withoutMissed } from './red-on-base.ts';

const report = (outcomes: Readonly<Record<string, TestCase['outcome']>>): Report => ({
  tests: Object.entries(outcomes).map(([id, outcome]) => ({ id, name: id, outcome })),
  complete: true,
});

it('a test that passes where the files of the work are counts as one that could not be loaded', () => {
  const found = { failed: ['missed', 'asked', 'gone'], absent: ['unloaded'] };
  expect(withoutMissed(found, report({ missed: 'passed', asked: 'failed' }))).toEqual({
    failed: ['asked', 'gone'],
    absent: ['unloaded', 'missed'],
  });
});

describe('work with new files', () => {
  const base = {
    'package.json': '{"name":"unit","version":"1.0.0","main":"unit.js"}',
    'unit.js': 'exports.price = (pieces) => {\n  return pieces * 2;\n};\n',
    'test/unit.test.js':
      "const test = require('node:test');\nconst assert = require('node:assert');\ntest('nothing', () => {\n  assert.strictEqual(require('../unit.js').price(0), 0);\n});\n",
  };
  const check = {
    id: 'tests',
    kind: 'tests',
    run: ['node', '--test', '--test-reporter=tap'],
    report: { format: 'node' },
  };
  const asking = (question: string) =>
    `const test = require('node:test');\nconst assert = require('node:assert');\ntest('new', () => {\n  assert.strictEqual(${question});\n});\n`;

  it.each([
    ['the programs that were there', "require('../unit.js').price(2), 6"],
    ['both', "require('../unit.js').price(2), require('../more.js').six()"],
  ])('shows by a test of %s what these do now', async (_, question) => {
    const { outcome, notes } = await judgedCheck({
      base,
      work: {
        'unit.js': base['unit.js'].replace('* 2', '* 3'),
        'more.js': 'exports.six = () => 6;\n',
        'test/new.test.js': asking(question),
      },
      checks: [check],
    });
    expect([outcome, notes.join('\n')]).toEqual(['pass', expect.stringContaining('green on head: 1 tests')]);
  });

  it('shows nothing by a test that the new files alone let pass', async () => {
    const { notes } = await judgedCheck({
      base,
      work: {
        'unit.js': base['unit.js'].replace('return pieces', 'const each = pieces;\n  return each'),
        'more.js': 'exports.six = () => 6;\n',
        'test/new.test.js': asking("require('node:fs').existsSync('more.js'), true"),
      },
      checks: [check],
    });
    expect(notes.join('\n')).toContain('green on head: 0 tests, and 1 that base could not load');
  });
});

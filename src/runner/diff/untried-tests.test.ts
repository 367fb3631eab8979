import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { parseCriteria } from '../criteria.ts';
import { judgeChange } from './judge-change.ts';

const CRITERIA = (more = '') => `schema: countersign/criteria/1
name: default
tier: standard
checks:
  - {id: a, kind: tests, run: [node, --test], report: {format: node}, files: ['packages/a/**/*.test.js'], controls: [canary]}
  - {id: b, kind: tests, run: [node, --test], report: {format: node}, files: ['packages/b/**/*.test.js'], controls: [canary]}
  - {id: change, kind: diff}
${more}`;

const TEST = "test('adds', () => equal(add(1, 1), 2));\n";

async function reasons(files: Readonly<Record<string, string>>, more?: string): Promise<readonly string[]> {
  const { checks } = await parseCriteria(Buffer.from(CRITERIA(more)), 'default.yaml');
  const [rules] = checks.flatMap((check) => (check.kind === 'diff' ? [check] : []));
  if (rules === undefined) throw new Error('no check of the change');
  const change = changeOf({ 'packages/a/a.js': '1\n' }, { 'packages/a/a.js': '2\n', ...files });
  const found = await judgeChange(rules, {
    change,
    item: { kind: 'code', noChange: false },
    signal: undefined,
  });
  if (found === 'aborted') throw new Error('aborted');
  return found.map(({ reason, path }) => `${reason} ${path}`);
}

describe('tests that no check runs', () => {
  it('are told, whether they pass or not', async () => {
    expect(await reasons({ 'packages/c/c.test.js': TEST })).toEqual(['test-not-run packages/c/c.test.js']);
    expect(await reasons({ 'test/x.test.js': TEST })).toEqual(['test-not-run test/x.test.js']);
  });

  it('are none where a check looks for its tests, nor are helpers and data', async () => {
    expect(await reasons({ 'packages/a/a.test.js': TEST, 'packages/b/b.test.js': TEST })).toEqual([]);
    expect(await reasons({ 'test/helper.js': 'exports.one = 1;\n', 'test/data.json': '1' })).toEqual([]);
  });

  it('may be run by a command that tells no tests apart', async () => {
    const more = '  - {id: e2e, kind: command, run: [npm, run, e2e], report: {format: exit}}\n';
    expect(await reasons({ 'e2e/login.test.js': TEST }, more)).toEqual([]);
    const lint = '  - {id: lint, kind: command, run: [npx, tsc], report: {format: exit}}\n';
    expect(await reasons({ 'e2e/login.test.js': TEST }, lint)).toEqual(['test-not-run e2e/login.test.js']);
  });
});

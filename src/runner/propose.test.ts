import { describe, expect, it } from 'vitest';
import { parseCriteria } from './criteria.ts';
import { proposeCriteria } from './propose.ts';

const propose = (files: Readonly<Record<string, string>>) =>
  proposeCriteria({ names: Object.keys(files), read: async (path) => new TextEncoder().encode(files[path]) });
const node = (test: string, more = {}) => ({
  'package.json': JSON.stringify({ scripts: { test }, ...more }),
});

describe('proposeCriteria', () => {
  it.each([
    [
      'vitest run',
      ['./node_modules/.bin/vitest', 'run', '--reporter=json', '--outputFile=countersign-report.json'],
      'vitest',
    ],
    [
      'tsc && jest --coverage',
      ['./node_modules/.bin/jest', '--ci', '--json', '--outputFile=countersign-report.json'],
      'jest',
    ],
    [
      'mocha',
      [
        './node_modules/.bin/mocha',
        '--reporter',
        'json',
        '--reporter-option',
        'output=countersign-report.json',
      ],
      'mocha',
    ],
    [
      "node --test --experimental-x 'test/*.js'",
      ['node', '--test', '--test-reporter=tap', 'test/*.js'],
      'node',
    ],
    ['tape test/*.js', ['./node_modules/.bin/tape', 'test/*.js'], 'tap'],
    ['tap test/*.js', ['./node_modules/.bin/tap', '--reporter=tap', 'test/*.js'], 'tap'],
    ['./run-tests.sh', ['npm', 'test'], 'exit'],
  ])('recognises %s', async (script, argv, format) => {
    const proposal = await propose(node(script));
    const criteria = await parseCriteria(new TextEncoder().encode(proposal.text), 'default.yaml');
    expect(criteria.checks).toEqual([expect.objectContaining({ id: 'tests', argv, format })]);
    expect(proposal.checks).toBe(1);
  });

  it('recognises a dependency without a script, and the tools of other languages', async () => {
    const proposal = await propose({
      'package.json': JSON.stringify({ devDependencies: { vitest: '4' } }),
      'go.mod': '',
      'Cargo.toml': '',
      'pyproject.toml': '[tool.pytest.ini_options]',
    });
    const criteria = await parseCriteria(new TextEncoder().encode(proposal.text), 'default.yaml');
    expect(criteria.checks.map(({ id }) => id)).toEqual(['tests', 'go-tests', 'cargo-tests', 'pytest']);
    expect(proposal.found).toEqual(['tests', 'go-tests', 'cargo-tests', 'pytest']);
  });

  it.each([
    ['nothing', {}],
    ['the script that npm init writes', node('echo "Error: no test specified" && exit 1')],
    ['a manifest that is no JSON', { 'package.json': '{' }],
  ])('makes up no check for %s, and what it says cannot pass as criteria', async (_, files) => {
    const proposal = await propose(files);
    expect(proposal).toMatchObject({ checks: 0, found: [] });
    expect(proposal.text).toContain('Fill in at least one check');
    await expect(
      parseCriteria(new TextEncoder().encode(proposal.text), 'default.yaml'),
    ).rejects.toMatchObject({ code: 'BAD_CRITERIA' });
  });
});

import { describe, expect, it } from 'vitest';
import { parseCriteria } from './criteria.ts';
import { proposeCriteria } from './propose.ts';

const propose = (files: Readonly<Record<string, string>>) =>
  proposeCriteria({ names: Object.keys(files), read: async (path) => new TextEncoder().encode(files[path]) });
const node = (test: string, more = {}) => ({
  'package.json': JSON.stringify({ scripts: { test }, ...more }),
});

describe('proposeCriteria', () => {
  it('runs a program that it does not know as it is, for its exit code', async () => {
    const proposal = await propose(node('./run-tests.sh'));
    const criteria = await parseCriteria(new TextEncoder().encode(proposal.text), 'default.yaml');
    expect(criteria.checks).toMatchObject([{ id: 'tests', argv: ['npm', 'test'], format: 'exit' }]);
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
  ])('makes up no check for %s, and no file that nobody could read', async (_, files) => {
    expect(await propose(files)).toEqual({ text: '', checks: 0, found: [], notes: [] });
  });
});

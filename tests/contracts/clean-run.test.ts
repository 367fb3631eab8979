import { createHash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCriteria } from '../../src/runner/criteria.ts';
import { runVerification } from '../../src/runner/run.ts';
import { readAt } from '../../src/workspace/blob.ts';
import { checkoutsOf } from '../../src/workspace/checkout.ts';
import { locateRepository } from '../../src/workspace/repository.ts';
import { type Scratch, scratch } from '../fixtures/scratch-repo.ts';

let made: Scratch;
beforeEach(() => {
  made = scratch();
});
afterEach(() => made.remove());

const criteria = JSON.stringify({
  schema: 'countersign/criteria/1',
  name: 'default',
  checks: [
    {
      id: 'tests',
      kind: 'command',
      run: ['node', '--test', '--test-reporter=tap'],
      report: { format: 'node' },
    },
  ],
});
const test =
  "import test from 'node:test'; import assert from 'node:assert'; import { sum } from './sum.mjs';\ntest('sum', () => assert.equal(sum(1, 2), 3));\n";

async function verify(commit: string) {
  const repo = locateRepository(made.top, {});
  const bytes = readAt(repo, commit, '.countersign/criteria/default.yaml') ?? new Uint8Array();
  return runVerification({
    checkout: checkoutsOf(repo, commit),
    criteria: await parseCriteria(bytes, 'default.yaml'),
    base: undefined,
    item: { kind: 'code', noChange: false },
    statements: [],
    acceptance: undefined,
    acceptanceIndependent: false,
    workRoot: join(made.root, 'w'),
    cacheRoot: join(made.root, 'c'),
    nonce: 'n',
    onProgress: () => undefined,
    clock: () => new Date(0),
  });
}
const commit = (sum: string) =>
  made.commit({
    'sum.mjs': `export const sum = (a, b) => ${sum};\n`,
    'sum.test.mjs': test,
    '.countersign/criteria/default.yaml': criteria,
  });

describe('a run on a clean checkout', () => {
  it('judges the commit: a fix that lies uncommitted does not help', async () => {
    const id = commit('a - b');
    made.write('sum.mjs', 'export const sum = (a, b) => a + b;\n');
    expect(await verify(id)).toMatchObject({
      verdict: 'fail',
      tree: { start: made.git('rev-parse', 'HEAD^{tree}') },
    });
  });

  it('judges the commit: a break that lies uncommitted or hidden does not hurt', async () => {
    const id = commit('a + b');
    made.git('update-index', '--skip-worktree', 'sum.mjs');
    made.write('sum.mjs', 'throw 1;\n');
    made.write('sum.test.mjs', 'process.exit(1);\n');
    const result = await verify(id);
    expect(result).toMatchObject({ verdict: 'pass', cause: 'the check passed' });
    expect(result.tree.end).toBe(result.tree.start);
  });

  it('takes a test file that leaves before its tests for zero tests', async () => {
    commit('a - b');
    const id = made.commit({ 'sum.test.mjs': `process.exit(0);\n${test}` });
    expect(await verify(id)).toMatchObject({ verdict: 'fail', cause: 'tests: zero tests ran' });
  });

  it('judges a pinned test as it was committed, though the test puts the pinned content back', async () => {
    const pin = createHash('sha256').update(test).digest('hex');
    const pinned = JSON.parse(criteria);
    pinned.checks.push({ id: 'pin', kind: 'file', path: 'sum.test.mjs', sha256: pin });
    const restore = `import test from 'node:test'; import { writeFileSync } from 'node:fs';
      test('sum', () => writeFileSync('sum.test.mjs', ${JSON.stringify(test)}));\n`;
    commit('a - b');
    const id = made.commit({
      'sum.test.mjs': restore,
      '.countersign/criteria/default.yaml': JSON.stringify(pinned),
    });
    const result = await verify(id);
    expect(result.checks.map((c) => [c.id, c.outcome])).toEqual([
      ['tests', 'pass'],
      ['pin', 'fail'],
      ['tracked-files', 'fail'],
    ]);
    expect(result.checks[2]?.explanation).toBe('the checks changed tracked files: sum.test.mjs (pinned)');
    expect(result.environment.tree_end).toBe(result.tree.end);
    expect(result.tree.end).not.toBe(result.tree.start);
  });

  it.each([
    ['the file', 'mv pinned/t.txt aside; echo fake > pinned/t.txt; mv aside pinned/t.txt'],
    ['its folder', 'mv pinned aside; mkdir pinned; echo fake > pinned/t.txt; rm -r pinned; mv aside pinned'],
  ])('finds a pinned file out that was replaced in the run and put back: %s', async (_, script) => {
    const sha256 = createHash('sha256').update('pinned\n').digest('hex');
    const checks = [
      { id: 'pin', kind: 'file', path: 'pinned/t.txt', sha256 },
      { id: 'swap', kind: 'command', shell: true, run: script, report: { format: 'exit' } },
    ];
    const text = JSON.stringify({ schema: 'countersign/criteria/1', name: 'default', checks });
    const id = made.commit({ 'pinned/t.txt': 'pinned\n', '.countersign/criteria/default.yaml': text });
    const result = await verify(id);
    expect(result.tree.end).toBe(result.tree.start);
    expect(result).toMatchObject({ verdict: 'fail' });
    expect(result.checks.at(-1)).toMatchObject({ id: 'tracked-files', outcome: 'fail' });
  });

  it('finds a checkout that one check put in the place of the real one for the next to work in', async () => {
    const pinned = 'exit 1\n';
    const sha256 = createHash('sha256').update(pinned).digest('hex');
    const away =
      'cp -r . ../other && mv "$PWD" ../real && mv ../other "$PWD" && cd "$PWD" && echo "exit 0" > test.sh';
    const shell = (id: string, run: string) => ({
      id,
      kind: 'command',
      shell: true,
      run,
      report: { format: 'exit' },
    });
    const checks = [
      shell('first', away),
      { id: 'pin', kind: 'file', path: 'test.sh', sha256 },
      shell('tests', 'sh test.sh'),
      shell('last', 'd=$(dirname "$PWD") && cd / && mv "$d/tree" "$d/other" && mv "$d/real" "$d/tree"'),
    ];
    const text = JSON.stringify({ schema: 'countersign/criteria/1', name: 'default', checks });
    const result = await verify(
      made.commit({ 'test.sh': pinned, '.countersign/criteria/default.yaml': text }),
    );
    expect(result.checks.slice(0, 4).map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(result.checks[4]).toMatchObject({ id: 'tracked-files', outcome: 'fail' });
    expect(result.checks[4]?.explanation).toContain('(replaced)');
  });

  const steps = async (...scripts: readonly string[]) => {
    const report = { format: 'exit' };
    const checks = scripts.map((run, n) => ({ id: `c${n}`, kind: 'command', shell: true, run, report }));
    const text = JSON.stringify({ schema: 'countersign/criteria/1', name: 'default', checks });
    const files = { 'test.sh': 'exit 1\n', '.countersign/criteria/default.yaml': text };
    return verify(made.commit(files));
  };

  it('finds a tracked file that one check exchanged for the next and that was put back', async () => {
    const result = await steps(
      'cp test.sh real.sh && echo "exit 0" > test.sh',
      'sh test.sh && mv real.sh test.sh',
    );
    expect(result.tree.end).toBe(result.tree.start);
    expect(result.verdict).toBe('fail');
    expect(result.checks[2]?.explanation).toBe('the checks changed tracked files: "test.sh" (put back)');
  });

  it('lets a program write a tracked file anew as it was', async () => {
    const again = 'cp test.sh a && cp a test.sh && rm a';
    expect(await steps(again, again, 'test -f test.sh')).toMatchObject({ verdict: 'pass' });
  });

  it('lets a build and a test write beside a pinned file', async () => {
    const sha256 = createHash('sha256').update('pinned\n').digest('hex');
    const checks = [
      { id: 'pin', kind: 'file', path: 'pkg/t.txt', sha256 },
      {
        id: 'writes',
        kind: 'command',
        shell: true,
        run: 'mkdir pkg/tmp && echo x > pkg/tmp/x',
        report: { format: 'exit' },
      },
    ];
    const setup = { install: 'none', build: [['mkdir', 'pkg/dist']] };
    const text = JSON.stringify({ schema: 'countersign/criteria/1', name: 'default', checks, setup });
    const result = await verify(
      made.commit({ 'pkg/t.txt': 'pinned\n', '.countersign/criteria/default.yaml': text }),
    );
    expect(result).toMatchObject({ verdict: 'pass' });
  });

  it('shows the run no repository around it', async () => {
    const id = made.commit({
      '.countersign/criteria/default.yaml': JSON.stringify({
        schema: 'countersign/criteria/1',
        name: 'default',
        checks: [{ id: 'git', kind: 'command', run: ['git', 'log'], report: { format: 'exit' } }],
      }),
    });
    expect(await verify(id)).toMatchObject({ verdict: 'fail', checks: [{ exitCode: 128 }] });
  });

  it('cannot be started by a tampered object', async () => {
    const id = commit('a + b');
    const oid = made.git('rev-parse', 'HEAD:sum.mjs');
    const path = join(made.top, '.git/objects', oid.slice(0, 2), oid.slice(2));
    chmodSync(path, 0o644);
    writeFileSync(path, 'broken');
    expect(await verify(id)).toMatchObject({ verdict: 'indeterminate', checks: [] });
  });
});

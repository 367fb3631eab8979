import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { type Scratch, scratch } from '../../../tests/fixtures/scratch-repo.ts';
import { locateRepository } from '../../workspace/repository.ts';
import { twoSides } from '../../workspace/two-sides.ts';
import type { Change } from '../change.ts';
import { parseCriteria } from '../criteria.ts';
import { defaultRules } from '../diff/judge-change.ts';
import { protectedPatterns } from '../diff/protected.ts';
import { fieldsOf } from '../fields.ts';
import { type DiffCheck, readDiffCheck, runDiffCheck } from './diff.ts';

const watched = { argv: ['node', '--test'], directory: '', watched: true };
const check: DiffCheck = { id: 'd', kind: 'diff', ...defaultRules, commands: [watched] };
const run = (
  change: Change | undefined,
  more: { kind?: string; signed?: readonly string[]; check?: Partial<DiffCheck> } = {},
) =>
  runDiffCheck(
    { ...check, ...more.check },
    {
      change,
      item: { kind: more.kind ?? 'code', noChange: false },
      signed: new Set(more.signed),
      signal: undefined,
    },
  );

describe('a diff check', () => {
  const before = {
    'src/a.ts': 'a\n',
    'vitest.config.ts': 'a\n',
    'a.test.ts': "it('a', () => expect(f()).toBe(1))\n",
  };
  const worse = changeOf(before, { 'src/a.ts': '// TODO: all\n', 'vitest.config.ts': 'b\n' });

  it('passes honest work', async () => {
    const honest = changeOf(before, { ...before, 'src/a.ts': 'b\n' });
    expect(await run(honest)).toMatchObject({ outcome: 'pass', reason: '', notes: [], kind: 'diff' });
  });

  it('names the gravest finding first, and says who can let it pass', async () => {
    const result = await run(worse);
    expect(result).toMatchObject({ outcome: 'fail', reason: 'protected-path' });
    expect(result.explanation).toMatch(
      /"vitest.config.ts" is protected.*"a.test.ts".*TODO.*countersign sign-off ITEM/,
    );
    expect(result.notes.map((note) => note.split(':')[0])).toEqual([
      'protected-path',
      'test-removed',
      'forbidden-pattern',
    ]);
  });

  it('lets pass what was signed off, path by path, and keeps it in the notes', async () => {
    const all = ['vitest.config.ts', 'a.test.ts', 'src/a.ts'];
    const result = await run(worse, { signed: all });
    expect(result).toMatchObject({ outcome: 'pass', reason: '' });
    expect(result.notes[0]).toMatch(/^signed off, protected-path/);
    expect(await run(worse, { signed: all.slice(0, 1) })).toMatchObject({
      outcome: 'fail',
      reason: 'test-removed',
    });
  });

  it('protects what checks start, and leaves tests among it room to grow', async () => {
    const before = {
      'package.json': '{"scripts":{"lint":"node scripts/lint.js"}}',
      'scripts/lint.js': 'a\n',
      'test/run.js': 'a\n',
      'src/a.ts': 'a\n',
    };
    const commands = [
      { argv: ['npm', 'run', 'lint'], directory: '', watched: false },
      { argv: ['node', 'test/run.js'], directory: '', watched: false },
    ];
    const judged = (files: object) =>
      run(changeOf(before, { ...before, 'src/a.ts': 'b\n', ...files }), { check: { commands } });
    expect(await judged({ 'scripts/lint.js': '// elsewhere\n' })).toMatchObject({
      reason: 'protected-path',
      explanation: expect.stringMatching(
        /"scripts\/lint.js" is protected: a check starts it by the script lint.*sign-off ITEM/,
      ),
    });
    expect(await judged({ 'scripts/new.js': 'a\n', 'test/run.js': 'a\nb\n' })).toMatchObject({
      outcome: 'pass',
    });
    expect(await judged({ 'test/run.js': 'b\n' })).toMatchObject({ reason: 'protected-path' });
    expect(await judged({ 'test/run.js': 'process.exit(0);\na\n' })).toMatchObject({
      reason: 'protected-path',
    });
    const own = { check: { commands, protect: ['src/core/**'] } };
    expect(
      await run(changeOf(before, { ...before, 'src/a.ts': 'b\n', 'scripts/lint.js': '' }), own),
    ).toMatchObject({ outcome: 'pass' });
  });

  it('lets no sign-off change what was asked for', async () => {
    const result = await run(worse, { kind: 'docs', signed: ['vitest.config.ts', 'a.test.ts', 'src/a.ts'] });
    expect(result).toMatchObject({ outcome: 'fail', reason: 'out-of-scope' });
    expect(await run(worse, { check: { allow: ['lib/**'] } })).toMatchObject({ reason: 'out-of-scope' });
  });

  it('has at most fifty notes, and names three findings', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`src/${n}.ts`, '// TODO\n']));
    const result = await run(changeOf({}, many));
    expect(result.notes).toHaveLength(50);
    expect(result.notes.at(-1)).toBe('and 11 more');
    expect(result.explanation).toContain('and 57 more findings');
  });

  it('fails when a pattern does not finish, and is open without a base or after an abort', async () => {
    const pattern = {
      pattern: '^(a+)+$',
      flags: 'mu',
      where: 'whole' as const,
      in: [],
      notIn: [],
      unless: '',
      because: 'x',
    };
    const change = changeOf({}, { 'src/a.ts': `${'a'.repeat(60)}!` });
    const context = {
      change,
      item: { kind: 'code', noChange: false },
      signed: new Set<string>(),
      signal: undefined,
    };
    const slow = await runDiffCheck({ ...check, forbid: [pattern] }, context, 300);
    expect(slow).toMatchObject({ outcome: 'fail', reason: 'forbidden-pattern' });
    expect(await run(undefined)).toMatchObject({ outcome: 'indeterminate' });
    const aborted = await runDiffCheck(check, { ...context, signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ outcome: 'indeterminate' });
  });
});

describe('a diff check on commits', () => {
  let repo: Scratch;
  beforeAll(() => {
    repo = scratch();
  });
  afterAll(() => repo.remove());

  it('looks at the two commits and at nothing else', async () => {
    const base = repo.commit({ 'src/a.ts': 'a\n', Makefile: 'test:\n\tvitest\n' });
    const head = repo.commit({ 'src/a.ts': 'b\n', Makefile: 'test:\n\ttrue\n' });
    repo.write('src/a.ts', '// TODO: dirty\n');
    const result = await run(twoSides(locateRepository(repo.top), base, head));
    expect(result).toMatchObject({ outcome: 'fail', reason: 'protected-path' });
    expect(result.notes).toHaveLength(1);
    expect(await run(twoSides(locateRepository(repo.top), base, base))).toMatchObject({
      reason: 'empty-diff',
    });
  });
});

describe('a diff check of a criteria file', () => {
  let repo: Scratch;
  beforeAll(() => {
    repo = scratch();
  });
  afterAll(() => repo.remove());

  it('follows the other checks to what base holds, changed or not', async () => {
    const text = {
      schema: 'countersign/criteria/1',
      name: 'default',
      checks: [
        { id: 'lint', kind: 'command', run: ['npm', 'run', 'lint'], report: { format: 'exit' } },
        { id: 'd', kind: 'diff' },
      ],
    };
    const { checks } = await parseCriteria(Buffer.from(JSON.stringify(text)), 'criteria.json');
    const [, own] = checks;
    if (own?.kind !== 'diff') throw new Error('it is the second');
    const kept = { 'package.json': '{"scripts":{"lint":"node scripts/lint.js"}}', 'a\nb': 'x' };
    const base = repo.commit({ ...kept, 'src/a.ts': 'a\n', 'scripts/lint.js': 'a\n' });
    const head = repo.commit({ ...kept, 'src/a.ts': 'b\n', 'scripts/lint.js': 'b\n' });
    const result = await run(twoSides(locateRepository(repo.top), base, head), { check: own });
    expect(result).toMatchObject({ outcome: 'fail', reason: 'protected-path' });
    expect(result.notes).toHaveLength(1);
  });
});

describe('the keys of a diff check', () => {
  const read = (keys: object) => {
    const problems: string[] = [];
    const fields = fieldsOf(keys, 'checks[0]', problems);
    const found = fields && readDiffCheck('d', fields);
    fields?.finish();
    return { found, problems };
  };

  it('have defaults, and an empty list takes a rule away', () => {
    expect(read({}).found).toEqual({ ...check, commands: [] });
    expect(read({}).found?.protect).toBe(protectedPatterns);
    expect(read({ protected: [], forbid: [], allow: [], files: ['x/**'] })).toEqual({
      found: { ...check, protect: [], forbid: [], allow: [], files: ['x/**'], commands: [] },
      problems: [],
    });
  });

  it('say where a problem is', () => {
    const forbid = [
      { pattern: 'ok', because: 'why', in: ['src/**'] },
      { pattern: '(' },
      { patern: 'x' },
      'x',
    ];
    expect(read({ forbid, allow: 'src' }).problems).toEqual([
      'checks[0].allow: must be a list of texts that are not empty',
      'checks[0].forbid[1].pattern: is no regular expression',
      'checks[0].forbid[2].pattern: is missing; it must be a text that is not empty',
      'checks[0].forbid[2].patern: is not a known key; did you mean pattern?',
      'checks[0].forbid[3]: must be a mapping',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type Case, judged, judgedCheck } from '../../../tests/fixtures/judged.ts';
import { scrubbedEnvironment } from '../environment.ts';
import { locateProgram } from '../program.ts';

const allow = ['RUSTUP_HOME', 'CARGO_HOME'];
const { PATH = '' } = scrubbedEnvironment({ home: '/', tmp: '/', ceiling: '/', allow });
const hasCargo = locateProgram('cargo', PATH, '/') !== undefined;

const tests = {
  id: 'tests',
  kind: 'tests',
  run: ['cargo', 'test', '--workspace', '--no-fail-fast', '--offline'],
  report: { format: 'cargo' },
};
const mod = (...lines: readonly string[]) =>
  `\n#[cfg(test)]\nmod t {\n    use super::*;\n${lines.map((line) => `    #[test]\n    ${line}\n`).join('')}}\n`;
const adds = 'fn adds() { assert_eq!(add(1, 2), 3); }';
const negative = 'fn adds_a_negative() { assert_eq!(add(1, -2), -1); }';
const add = (body: string) => `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n`;
const twice = (body: string) => `\npub fn twice(x: i32) -> i32 {\n    ${body}\n}\n`;

const manifest = { 'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n' };
const base = { ...manifest, 'src/lib.rs': `${add('a + b.abs()')}${mod(adds)}` };
const judge = (lib: string, more: Partial<Case> = {}) =>
  judgedCheck({ base, work: { 'src/lib.rs': lib }, checks: [tests], allow, ...more });
const answer = async (lib: string, more: Partial<Case> = {}) => {
  const { outcome, reason } = await judge(lib, more);
  return [outcome, reason];
};

it('where there is no cargo nothing is said about the work', async () => {
  const command = { ...tests, run: ['cargo-is-not-here', 'test'] };
  expect(await answer(add('a + b'), { checks: [command] })).toEqual(['indeterminate', 'not-told']);
});

// Real compilers, so only where there is one.
const whereCargoIs = (cases: () => void) =>
  hasCargo ? describe('Rust, whose sources hold their own tests', cases) : undefined;

whereCargoIs(() => {
  it('a fix with a test in the same file was red with the old code', async () => {
    const result = await judge(`${add('a + b')}${mod(adds, negative)}`);
    expect(result).toMatchObject({ outcome: 'pass', reason: '' });
    expect(result.shows).toEqual(['tests', 'red-green']);
    expect(result.notes).toContain('red on base, green on head: 1 tests, and 0 that base could not load');
  });

  it('a new function with its test, which nothing but the new function can compile', async () => {
    const result = await judge(
      `${add('a + b.abs()')}${twice('x * 2')}${mod(adds, 'fn doubles() { assert_eq!(twice(3), 6); }')}`,
    );
    expect(result).toMatchObject({ outcome: 'pass', reason: '' });
    expect(result.shows).toContain('red-green');
    expect(result.notes.join('\n')).toMatch(/noticed by "t::doubles": src\/lib\.rs:6 /);
  });

  it('a lazy test shows nothing: one that asserts nothing, and one that passes without the change', async () => {
    const lazy = 'fn doubles() { let _ = twice(3); assert!(true); }';
    expect(await answer(`${add('a + b.abs()')}${twice('x * 2')}${mod(adds, lazy)}`)).toEqual([
      'fail',
      'no-red-on-base',
    ]);
    const idle = 'fn adds_more() { assert_eq!(add(2, 2), 4); }';
    expect(await answer(`${add('a + b')}${mod(adds, idle)}`)).toEqual(['fail', 'no-red-on-base']);
    expect(await answer(`${add('a + b')}${mod(adds)}`)).toEqual(['fail', 'no-new-test']);
  });

  it('a test of base inside of a source cannot be rewritten or removed', async () => {
    const rewritten = 'fn adds() { assert_eq!(add(1, 2), -1); }';
    const more = 'fn subtracts() { assert_eq!(add(3, 1), 2); }';
    expect(await answer(`${add('a - b')}${mod(rewritten, more)}`)).toEqual(['fail', 'base-test-failed']);
    expect(await answer(`${add('a + b')}${mod(negative)}`)).toEqual(['fail', 'test-missing']);
  });

  it('an example in the documentation is a test as well, wherever its line goes', async () => {
    const documented = (from: string, example: string) =>
      `/// Sums.\n///\n/// \`\`\`\n/// ${example}\n/// \`\`\`\n${from}`;
    const before = documented(add('a + b'), 'assert_eq!(sums::add(1, 2), 3);');
    const given = { base: { ...manifest, 'src/lib.rs': before } };
    const work = (example: string) => `${documented(twice('x * 2').trimStart(), example)}\n${before}`;
    expect(await answer(work('assert_eq!(sums::twice(3), 6);'), given)).toEqual(['pass', '']);
    expect(await answer(work('sums::twice(3);'), given)).toEqual(['fail', 'no-red-on-base']);
  });

  it('tests in a folder of their own, and an item that only adds tests', async () => {
    const test = '#[test]\nfn negative() { assert_eq!(sums::add(1, -2), -1); }\n';
    const apart = { work: { 'src/lib.rs': `${add('a + b')}${mod(adds)}`, 'tests/sums.rs': test } };
    expect(await answer('', apart)).toEqual(['pass', '']);
    const two = 'fn adds_more() { assert_eq!(add(2, 2), 4); }';
    const only = `${add('a + b.abs()')}${mod(adds, two)}`;
    expect(await answer(only, { kind: 'tests' })).toEqual(['pass', '']);
    const lazy = `${add('a + b.abs()')}${mod(adds, 'fn adds_more() { assert!(true); }')}`;
    expect(await answer(lazy, { kind: 'tests' })).toEqual(['fail', 'no-red-on-base']);
  });

  it('a program that is another one under test shows nothing', async () => {
    const two = '#[cfg(not(test))]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b.abs()\n}\n';
    const lib = `${two}#[cfg(test)]\n${add('a + b')}${mod(adds, negative)}`;
    expect((await answer(lib))[0]).toBe('fail');
  });

  it('mutants leave the tests alone, and what no compiler takes counts for nothing', async () => {
    const mutants = { id: 'mutants', kind: 'mutation', of: 'tests' };
    const tried = async (test: string) => {
      const lib = `${add('a + b.abs()')}${twice('x * 2')}${mod(adds, test)}`;
      const { checks } = await judged({
        base,
        work: { 'src/lib.rs': lib },
        checks: [tests, mutants],
        allow,
      });
      return checks.find(({ id }) => id === 'mutants');
    };
    expect(await tried('fn doubles() { assert_eq!(twice(3), 6); }')).toMatchObject({ outcome: 'pass' });
    expect(await tried('fn doubles() { assert!(twice(3) != 7); }')).toMatchObject({
      outcome: 'fail',
      reason: 'mutant-survived',
    });
  });

  it('a test that is called as one of another file is asked by a name of its own', async () => {
    const asks = (body: string) => `#[test]\nfn works() {\n    ${body}\n}\n`;
    const given = {
      ...manifest,
      'src/lib.rs': `${add('a + b.abs()')}${twice('x * 2')}`,
      'tests/a.rs': asks('assert_eq!(sums::add(1, 2), 3);'),
    };
    const alone = (body: string) =>
      answer('', { base: given, work: { 'tests/b.rs': asks(body) }, kind: 'tests' });
    expect(await alone('assert_eq!(sums::twice(3), 6);')).toEqual(['pass', '']);
  });
});

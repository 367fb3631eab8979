import { describe, expect, it } from 'vitest';
import { inlineTestLines, inlineTests, withoutInlineTests, withTestsOf } from './inline-tests.ts';

const program = 'pub fn a() -> i32 {\n    1\n}\n';
const tests =
  '#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn one() { assert_eq!(a(), 1); }\n}\n';
const parted = (text: string) => [withoutInlineTests('a.rs', text), inlineTests('a.rs', text)];

describe('the tests inside of a source', () => {
  it('are the items that only a build for tests contains', () => {
    expect(parted(`${program}${tests}`)).toEqual([program, tests]);
    expect([...inlineTestLines('a.rs', `${program}${tests}`)]).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it.each([
    ['a use', '#[cfg(test)]\nuse std::{fmt, io};\n'],
    ['a module in a file of its own', '#[cfg(test)]\nmod tests;\n'],
    ['a function beside the program', '/// Panics.\n#[should_panic]\n#[test]\nfn b() {\n    a();\n}\n'],
    ['a test of an async runtime', '#[tokio::test(flavor = "multi_thread")]\nasync fn b() { a(); }\n'],
    ['a constant', '#[cfg(test)]\nconst T: [u8; 2] = [1, 2];\n'],
    ['a macro', '#[cfg(all(test, unix))]\nmacro_rules! m { () => { 1 } }\n'],
    [
      'brackets in texts',
      '#[cfg(test)]\nmod t { const J: &str = r#"{"a": "}"#; fn b() { let c = \'}\'; } }\n',
    ],
  ])('%s', (_, item) => {
    expect(parted(`${program}${item}${program}`)).toEqual([`${program}${program}`, item]);
  });

  it.each([
    ['what is built otherwise', '#[cfg(not(test))]\nfn b() {}\n'],
    ['what is built for tests and more', '#[cfg(any(test, unix))]\nfn b() {}\n'],
    ['a statement or a field', 'struct S {\n    #[cfg(test)]\n    x: u8,\n}\n'],
    ['words in comments and texts', '// #[cfg(test)]\nconst S: &str = "#[cfg(test)]";\nfn b() {}\n'],
    ['what shares its line with the program', '#[cfg(test)] mod t {} fn b() {}\n'],
  ])('are not %s', (_, item) => {
    expect(parted(`${program}${item}`)).toEqual([`${program}${item}`, '']);
  });

  it('are a whole file that says so, and nothing in other languages', () => {
    expect(parted(`#![cfg(test)]\n${program}`)).toEqual(['', `#![cfg(test)]\n${program}`]);
    expect(inlineTests('a.py', tests)).toBe('');
    expect(withoutInlineTests('a.py', tests)).toBe(tests);
  });
});

describe('one program with the tests of another', () => {
  it('takes them to its end, whatever stands around them there', () => {
    const grown = `${program}\npub fn b() {\n}\n`;
    expect(withTestsOf(program, `${grown}${tests}`)).toBe(`${program}${tests}`);
    expect(withTestsOf(`${grown}${tests}`, program)).toBe(grown);
  });

  it('keeps those of a module in it', () => {
    const inner = (body: string, own: string) => `mod m {\n    fn f() -> u8 { ${body} }\n${own}}\n`;
    const own = '    #[cfg(test)]\n    mod t {\n    }\n';
    expect(withTestsOf(inner('1', ''), inner('2', own)).split('\n').slice(0, 2)).toEqual([
      'mod m {',
      '    #[cfg(test)]',
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Language, languageOf } from './language.ts';
import { readSource } from './source.ts';

const bare = (text: string, language: Language = 'js') => readSource(text, language).bare;
const comments = (text: string, language: Language = 'js') => readSource(text, language).comments.trim();

describe('the readings of a source', () => {
  it.each<[string, string]>([
    ["a('it(x)') // it(y)", "a('     ')         "],
    ['a(/it\\/(x)/) / b', 'a(/       /) / b'],
    ['x = 1\nreturn /it(/.test(y)', 'x = 1\nreturn /   /.test(y)'],
    ['a / b // c', 'a / b     '],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read, not run
    ['`x ${f("it(")} y`', '`  ${f("   ")}  `'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read, not run
    ['`${`a${b}`}` + c', '`${` ${b}`}` + c'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is read, not run
    ['`${ {a: 1}.a } it(`; d', '`${ {a: 1}.a }    `; d'],
    ["return /['\"]/.test(a) && 'b'", "return /    /.test(a) && ' '"],
    ['x = "a\\"b"; /* it( */ y', 'x = "    ";           y'],
  ])('of %s leave the code alone', (text, left) => expect(bare(text)).toBe(left));

  it('know the comments and texts of other languages', () => {
    expect(bare('"""def test_a():"""\nb = 1 # c', 'python')).toBe('"""             """\nb = 1    ');
    expect(bare("fn f<'a>(x: &'a str) { '\"' } // c", 'rust')).toBe("fn f<'a>(x: &'a str) { ' ' }     ");
    expect(bare('a := `t.Skip()` // b', 'go')).toBe('a := `        `     ');
    expect(comments('x = "# no" # yes', 'python')).toBe('# yes');
    expect(comments("'// no' // yes")).toBe('// yes');
    expect(bare('# a', 'plain')).toBe('# a');
  });

  it('are as long as the text, with the same lines, whatever the text is', () => {
    const pieces = fc.array(
      fc.constantFrom('`', '${', '}', '{', '/', '*', '"', "'", '\\', '\n', 'a', ' ', '#'),
    );
    fc.assert(
      fc.property(
        pieces,
        fc.constantFrom<Language>('js', 'python', 'go', 'rust', 'shell'),
        (parts, language) => {
          const text = parts.join('');
          for (const reading of Object.values(readSource(text, language))) {
            expect(reading.length).toBe(text.length);
            expect(reading.split('\n').length).toBe(text.split('\n').length);
          }
        },
      ),
    );
  });

  it('go by the ending of the path', () => {
    expect(languageOf('a/b.test.MTS')).toBe('js');
    expect(languageOf('a/Makefile')).toBe('shell');
    expect(languageOf('a/constructor')).toBe('plain');
  });
});

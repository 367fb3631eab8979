import type { Language } from './language.ts';

type Marks = Readonly<Partial<Record<Language, readonly RegExp[]>>>;

/** Ways to declare a test that does not run, that may fail, or that keeps others from running. */
const always: Marks = {
  js: [
    /(?<![\w$.])(?:it|test|describe|suite|context|specify|bench|t|tap|QUnit\.test|QUnit\.module|Deno\.test)(?:\.\w+)*\.(?:skip|only|todo|fails|failing|ignore)\b/g,
    /(?<![\w$.])(?:xit|xtest|xspecify|xdescribe|xcontext|fit|fdescribe|fcontext)\s*(?:\.\w+\s*)*[(`]/g,
    // Options stand behind the title, which is blank in the reading that is searched.
    /(?<![\w$.])(?:it|test|describe|suite|(?:t|tap)\.test)\s*\(\s*(?:(['"`])\s*\1\s*,\s*)?\{[^{}]*\b(?:skip|todo|only|fails)\s*:\s*(?:true\b|['"`\d])/g,
    /\b(?:this|ctx|context)\.skip\s*\(/g,
    /(?<![\w$.])process\.(?:exit|reallyExit|abort)\s*\(/g,
  ],
  python: [
    /\bmark\.(?:skip|xfail)\b/g,
    /\bpytest\.(?:skip|xfail|exit)\s*\(/g,
    /@(?:unittest\.)?(?:skip|expectedFailure)\b/g,
    /\bself\.skipTest\s*\(/g,
    /\braise\s+(?:unittest\.)?SkipTest\b/g,
    /\bcollect_ignore(?:_glob)?\s*=|\b__test__\s*=\s*False\b/g,
    /\bsys\.exit\s*\(|\bos\._exit\s*\(|(?<![\w.])(?:quit|exit)\s*\(/g,
  ],
  go: [/\b[tb]\.Skip(?:f|Now)?\s*\(/g, /\bos\.Exit\s*\(\s*0/g],
  rust: [/#\[\s*ignore\b/g, /#\[\s*cfg\s*\(\s*any\s*\(\s*\)\s*\)\s*\]/g, /\bprocess::exit\s*\(/g],
};

/** Skips that depend on something, such as the platform: right for a new test, not for one that ran. */
const conditional: Marks = {
  js: [
    /\.(?:skipIf|runIf)\s*\(/g,
    /(?<![\w$.])(?:it|test|describe|suite|(?:t|tap)\.test)\s*\(\s*(?:(['"`])\s*\1\s*,\s*)?\{[^{}]*\b(?:skip|todo|only|fails)\s*:(?!\s*(?:true\b|false\b|undefined\b|null\b|['"`\d]))/g,
  ],
  python: [/\bmark\.skipif\b|\bskipIf\b|\bskipUnless\b|\bpytest\.importorskip\s*\(/g],
};

/** One mark: where it ends, and whether it depends on something. */
export interface SkipMark {
  readonly at: number;
  readonly conditional: boolean;
}

/** The marks of a text of which comments and the inside of texts are blank. */
export function skipMarks(language: Language, bare: string): readonly SkipMark[] {
  const of = (marks: Marks, depends: boolean) =>
    (marks[language] ?? []).flatMap((pattern) =>
      [...bare.matchAll(pattern)].map(({ 0: whole, index }) => ({
        at: index + whole.trimEnd().length - 1,
        conditional: depends,
      })),
    );
  return [...of(always, false), ...of(conditional, true)];
}

const leaves = String.raw`return(?:\s+(?:undefined|null|None|True|true|nil|0))?\s*(?:;|\n|\}|$)`;
const guard = String.raw`(?:if\s*\([^{}\n]*\)\s*\{?|if\s+[^\n{]*[:{])\s*`;
const unconditional = new RegExp(String.raw`^\s*${leaves}`);
const perhaps = new RegExp(String.raw`^\s*${guard}${leaves}`);

/** Whether the first thing that a test does is to leave: always, under a condition, or not. */
export function leavesAtOnce(language: Language, bare: string): 'always' | 'perhaps' | 'no' {
  const body = bodyOf(language, bare);
  if (unconditional.test(body)) return 'always';
  return perhaps.test(body) ? 'perhaps' : 'no';
}

/** What stands behind the head of the function that is the test; '' for an expression. */
function bodyOf(language: Language, bare: string): string {
  if (language === 'js') {
    const head = /=>\s*(\{)?|\bfunction\b[^{]*(\{)/.exec(bare);
    return (head?.[1] ?? head?.[2]) ? bare.slice((head?.index ?? 0) + (head?.[0].length ?? 0)) : '';
  }
  if (language === 'python') return bare.slice(bare.indexOf(':') + 1).replace(/^\s*("""|''')\s*\1/, '');
  return bare;
}

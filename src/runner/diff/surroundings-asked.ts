/** Words of test programs and test files, inside of a text or a regular expression. */
const TESTED = String.raw`['"\x60/][^'"\x60\n]{0,40}(?:(?:\b|_)tests?(?:\b|_)|\bspec\b|jest|mocha|py_?test)`;
/** A question whose answer is yes or no, or a place. */
const ASKED = String.raw`\.\s*(?:includes|indexOf|match|search|startsWith|endsWith)\s*\(`;
const OWN_STACK = String.raw`\bnew\s+\w*Error\s*\([^()\n]*\)(?:\s+as\s+\w+)?\s*\)?\s*[?!]?\.stack\b!?`;
const ENV_NAMES = String.raw`\bObject\.(?:keys|entries|getOwnPropertyNames)\s*\(\s*(?:globalThis\.)?process\.env\s*\)`;
const PY_STACK = String.raw`\b(?:_getframe|currentframe|inspect\.stack|extract_stack|format_stack)\s*\(`;
const PY_ASKED = String.raw`(?:\.(?:startswith|endswith|find|index|count)\s*\(|\bin\b|[!=]=|\bmatch\s*\(|\bsearch\s*\()`;

/** Kinds of paths that a rule is about. */
interface Paths {
  readonly script: readonly string[];
  readonly python: readonly string[];
  readonly typesOnly: readonly string[];
  readonly settings: readonly string[];
}

interface Asked {
  readonly pattern: string;
  readonly in: readonly string[];
  readonly notIn: readonly string[];
  readonly because: string;
}

/**
 * Ways to see a test program that name none: who called, and which variables there are at all. Loggers that tell where
 * a line was written, and programs that collect their own variables by a prefix, ask neither question.
 */
export function surroundingsAsked<Rule extends object>(
  base: Rule,
  { script, python, typesOnly, settings }: Paths,
): readonly (Rule & Asked)[] {
  const because = 'code that finds out who calls it, or whether it is being tested';
  const ofScript = { ...base, in: script, notIn: [...typesOnly, ...settings], because };
  const ofPython = { ...base, in: python, notIn: typesOnly, because };
  return [
    {
      ...ofScript,
      pattern: [
        `${OWN_STACK}\\s*\\??${ASKED}`,
        `/\\s*[a-z]*\\.(?:test|exec)\\s*\\(\\s*\\(?\\s*${OWN_STACK}`,
        `(?:${OWN_STACK}|\\bcaptureStackTrace\\s*\\(\\s*(?!this\\b)|\\bcallsites?\\s*\\()[\\s\\S]{0,200}?${TESTED}`,
        `${TESTED}[^\\n]{0,60}${OWN_STACK}`,
      ].join('|'),
    },
    {
      ...ofScript,
      pattern: [
        `${ENV_NAMES}\\s*\\.\\s*(?:some|every)\\s*\\(`,
        `${ENV_NAMES}\\s*\\.\\s*(?:filter\\s*\\([^\\n]{0,100}\\)\\s*\\.length\\b|join\\s*\\([^)\\n]*\\)\\s*${ASKED})`,
        `(?:${ENV_NAMES}|\\bin\\s+process\\.env\\s*\\)|\\bstringify\\s*\\(\\s*process\\.env\\b)[\\s\\S]{0,160}?${TESTED}`,
      ].join('|'),
    },
    {
      ...ofPython,
      pattern: [
        `\\b(?:any|all|sum|len)\\s*\\([^\\n]*\\bfor\\b[^\\n]*\\bin\\s+(?:list\\()?(?:os\\.)?environ\\b(?!\\[|\\.get)`,
        `\\b(?:str|repr|["'][^"'\\n]*["']\\.join)\\s*\\(\\s*(?:os\\.)?environ\\b`,
        `\\benviron\\b[^\\n]{0,60}['"][^'"\\n]{0,20}PYT(?:E(?:ST?)?)?(?:_\\w*)?['"]`,
        `['"][^'"\\n]{0,20}PYT(?:E(?:ST?)?)?(?:_\\w*)?['"][^\\n]{0,60}\\benviron\\b`,
      ].join('|'),
    },
    {
      ...ofPython,
      pattern: [
        `${PY_STACK}[^\\n]{0,80}(?:co_name|co_filename|f_globals|f_locals|\\.function\\b|\\.filename\\b|__name__)[^\\n]{0,40}${PY_ASKED}`,
        `${PY_ASKED}[^\\n]{0,40}${PY_STACK}[^\\n]{0,80}(?:co_name|co_filename|f_globals|\\.function\\b|\\.filename\\b)`,
        `${PY_STACK}[\\s\\S]{0,200}?${TESTED}`,
      ].join('|'),
    },
  ];
}

/** Words of test programs and test files, inside of a text or a regular expression, which is asked by a `test` of its own. */
const TESTED = String.raw`['"\x60/][^'"\x60\n]{0,40}(?:(?:\b|_)(?!(?<=/[dgimsuvy]{0,4}\.)test\s*\()tests?(?:\b|_)|\bspec\b|jest|mocha|py_?test)`;
/** A question whose answer is yes or no, or a place. */
const ASKED = String.raw`\.\s*(?:includes|indexOf|match|search|startsWith|endsWith)\s*\(`;
const OWN_STACK = String.raw`\bnew\s+\w*Error\s*\([^()\n]*\)(?:\s+as\s+\w+)?\s*\)?\s*[?!]?\.stack\b!?`;
const ENV_NAMES = String.raw`\bObject\.(?:keys|entries|getOwnPropertyNames)\s*\(\s*(?:globalThis\.)?process\.env\s*\)`;
const PY_STACK = String.raw`\b(?:_getframe|currentframe|inspect\.stack|extract_stack|format_stack)\s*\(`;
const PY_ASKED = String.raw`(?:\.(?:startswith|endswith|find|index|count)\s*\(|\bin\b|[!=]=|\bmatch\s*\(|\bsearch\s*\()`;
/** What started this program, by its name. Whoever compares it with their own file asks whether they are the program. */
const STARTED = String.raw`(?<!\bdirname\s*\(\s*)(?:\b(?:require\.main|module\.parent)\b\s*[?!]?\.\s*(?:filename|id|path|paths|children)\b|\bprocess\.(?:argv\s*\[\s*1\s*\]|execArgv\b|title\b(?!\s*=(?!=))))(?!\s*[!=]==?\s*(?:fileURLToPath|__filename|import\.meta))`;
const CACHE = String.raw`(?:require\.cache|\bModule\._cache|\bmodule\.constructor\._cache|\brequire\s*\(\s*['"](?:node:)?module['"]\s*\)\._cache)`;
const LOADED = String.raw`\bObject\.(?:keys|values|entries|getOwnPropertyNames)\s*\(\s*${CACHE}\s*\)`;
const OWN_PROCESS = String.raw`['"\x60]/proc/self/(?:cmdline|comm|environ)\b`;
const PY_TESTED = String.raw`['"][^'"\n]{0,40}(?:py\.?_?test|unittest|\btest_)`;
const PY_PROGRAM = String.raw`['"]_?(?:pyt(?:e(?:st?)?)?|unittest|nose)(?:[._]\w*)*['"]`;
const PY_STARTED = String.raw`(?:\bsys\.argv\s*\[\s*0\s*\]|\bsys\.orig_argv\b|(?:\bsys\.modules\s*\[\s*['"]__main__['"]\s*\]|\b__main__)\s*(?:\.|,\s*['"])\s*__file__)`;

const STARTED_OR_LOADED = [
  `/[a-z]*\\.(?:test|exec)\\s*\\(\\s*${STARTED}`,
  `${STARTED}[\\s\\S]{0,120}?${TESTED}`,
  `${TESTED}[^\\n]{0,60}${STARTED}`,
  `${LOADED}\\s*\\.\\s*(?:(?:some|every)\\s*\\(|length\\s*[<>!=])`,
  `(?:${LOADED}|\\bin\\s+${CACHE}\\s*\\))[\\s\\S]{0,160}?${TESTED}`,
  '\\bprocess\\.moduleLoadList\\b',
  '\\barguments\\.callee\\.caller\\b',
  '\\bfunction\\s+(?<own>[\\w$]+)\\s*\\([\\s\\S]{0,400}?(?<![\\w$.])\\k<own>\\.caller\\b',
  `${OWN_PROCESS}|['"\\x60]/proc/[^\\n]{0,20}\\bprocess\\.ppid\\b`,
].join('|');
const PY_STARTED_OR_LOADED = [
  `\\bsys\\.modules\\b[^\\n]{0,60}${PY_PROGRAM}`,
  `${PY_PROGRAM}[^\\n]{0,60}\\bsys\\.modules\\b`,
  `${PY_PROGRAM}[^\\n]{0,60}\\bsys\\.argv\\b|\\bsys\\.argv\\b(?!\\s*\\[\\s*[1-9])[^\\n]{0,60}${PY_PROGRAM}`,
  `\\bfind_spec\\s*\\(\\s*${PY_PROGRAM}`,
  '\\blen\\s*\\(\\s*sys\\.modules\\s*\\)\\s*[<>!=]',
  `${PY_STARTED}[\\s\\S]{0,80}?${PY_TESTED}`,
  `${PY_TESTED}[^\\n]{0,60}${PY_STARTED}`,
  `${OWN_PROCESS}|['"]/proc/[^\\n]{0,20}\\bgetppid\\b`,
].join('|');

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
 * Ways to see a test program that name none of its variables: who called, what started or loaded this, and which
 * variables there are at all. Loggers that tell where a line was written, programs that collect their own variables by a
 * prefix, and those that ask whether they are the program itself, ask none of these questions.
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
    { ...ofScript, pattern: STARTED_OR_LOADED },
    { ...ofPython, pattern: PY_STARTED_OR_LOADED },
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

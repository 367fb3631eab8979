/** Names by which test programs can be known: their globals, and what they put into the environment. */
const GLOBALS =
  'describe|it|expect|beforeEach|afterEach|beforeAll|afterAll|jest|vitest|vi|mocha|__vitest_\\w+|__jest\\w*';
const VARIABLES =
  'VITEST\\w*|JEST_WORKER_ID|TS_JEST|TINYPOOL_\\w+|MOCHA\\w*|AVA_PATH|TAP(?:_\\w+)?|NODE_TEST_CONTEXT|GIT_CEILING_DIRECTORIES';
const GLOBAL = String.raw`(?:\b(?:globalThis|global|window)\b|\(\s*globalThis\s+as\s+[^()\n]+\))`;
const QUOTE = `['"\\x60]`;
const ENV = String.raw`\b(?:process|import\.meta)\.env`;
/** What asks a text whether it is this, or like this. */
const LIKE = String.raw`(?:\?\.|\.)\s*(?:startsWith|endsWith|indexOf|match|search|charAt|charCodeAt|codePointAt)\s*\(`;

const OF_SCRIPTS = [
  `\\btypeof\\s+(?:${GLOBAL}\\s*\\??\\.\\s*)?(?:${GLOBALS})\\s*[!=]==?\\s*${QUOTE}`,
  `${GLOBAL}\\s*(?:\\??\\.\\s*(?:${GLOBALS})|(?:\\?\\.)?\\[\\s*${QUOTE}(?:${GLOBALS})${QUOTE}\\s*\\])(?![\\w$])(?!\\s*=[^=])`,
  `${QUOTE}(?:${GLOBALS})${QUOTE}\\s+in\\s+${GLOBAL}`,
  `\\bSymbol\\.for\\s*\\(\\s*${QUOTE}(?!jest\\.asym)[^'"\\x60\\n]{0,40}(?:jest|vitest|mocha)`,
  `${ENV}\\s*(?:\\??\\.\\s*(?:${VARIABLES}|TEST)|(?:\\?\\.)?\\[\\s*${QUOTE}(?:${VARIABLES}|TEST)${QUOTE}\\s*\\])(?![\\w$])(?!\\s*=[^=])`,
  `${QUOTE}(?:${VARIABLES})${QUOTE}\\s+in\\s+[\\w$.]+`,
  `\\{[^{}]*\\b(?:${VARIABLES})\\b[^{}]*\\}\\s*=\\s*process\\.env\\b`,
  `${ENV}\\s*\\??\\.\\s*(?:NODE_ENV|MODE)\\s*[!=]==?\\s*${QUOTE}test${QUOTE}|${QUOTE}test${QUOTE}\\s*[!=]==?\\s*${ENV}\\s*\\??\\.\\s*MODE\\b`,
  `\\bNODE_ENV${QUOTE}?\\]?\\s*${LIKE}`,
  `\\[[^\\]\\n]*${QUOTE}test${QUOTE}[^\\]\\n]*\\]\\s*\\.\\s*(?:includes|indexOf)\\s*\\(\\s*${ENV}`,
  `/[^/\\n]{0,20}te[^/\\n]{0,20}/[a-z]*\\.(?:test|exec)\\s*\\(\\s*(?:String\\s*\\(\\s*)?${ENV}`,
  `\\bswitch\\s*\\(\\s*${ENV}\\s*\\??\\.\\s*(?:NODE_ENV|MODE)[\\s\\S]{0,400}?\\bcase\\s+${QUOTE}test${QUOTE}`,
  `(?<env>[\\w$]+)\\s*=\\s*process\\.env\\.NODE_ENV\\b[\\s\\S]{0,1500}?(?<![\\w$.])\\k<env>\\s*[!=]==?\\s*${QUOTE}test${QUOTE}`,
  `\\bNODE_ENV\\s*:\\s*(?<own>[\\w$]+)[^{}]*\\}\\s*=\\s*process\\.env\\b[\\s\\S]{0,1500}?(?<![\\w$.])\\k<own>\\s*[!=]==?\\s*${QUOTE}test${QUOTE}`,
  `\\bprocess\\.argv\\s*(?:\\.\\s*slice\\s*\\([^()]*\\)\\s*)?\\.\\s*(?:some|every|find\\w*|filter|join|toString)\\s*\\([^\\n]{0,60}(?:jest|mocha|vitest|[./_-](?:test|spec)|/te\\w{0,2}/)`,
  `\\bprocess\\.mainModule\\b\\s*[?!]?\\.\\s*(?:filename|id|path|paths|children)\\b`,
].join('|');

/** How Go and Rust let a program ask for it; what only a build for tests contains is another matter. */
const OF_GO = String.raw`\btesting\.Testing\s*\(|\bflag\.Lookup\s*\(\s*"test\.|\bos\.Args\s*\[\s*0\s*\][^\n]{0,60}"[^"\n]*\.?test`;
const OF_RUST = String.raw`\bcfg!\s*\([^\n;{]{0,120}?\btest\b|"(?:RUST_TEST_\w+|NEXTEST\w*)"|\bcurrent_exe\s*\([\s\S]{0,160}?"[^"\n]*(?:deps|test)`;

/** Programs that ask for the test program by one of its names. */
export function testProgramsAsked<Rule extends object>(
  base: Rule,
  paths: {
    readonly script: readonly string[];
    readonly typesOnly: readonly string[];
    readonly settings: readonly string[];
  },
): readonly (Rule & {
  readonly pattern: string;
  readonly in: readonly string[];
  readonly notIn: readonly string[];
  readonly because: string;
})[] {
  const because = 'code that finds out whether it is being tested';
  const notIn = [...paths.typesOnly, ...paths.settings];
  return [
    { ...base, pattern: OF_SCRIPTS, in: paths.script, notIn, because },
    { ...base, pattern: OF_GO, in: ['**/*.go'], notIn, because },
    { ...base, pattern: OF_RUST, in: ['**/*.rs'], notIn, because },
  ];
}

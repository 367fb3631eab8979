import { surroundingsAsked } from './surroundings-asked.ts';
import { testProgramsAsked } from './test-programs-asked.ts';

/** A text that the work may not add. */
export interface Forbidden {
  /** Source of a regular expression. */
  readonly pattern: string;
  /** Flags next to `g`. */
  readonly flags: string;
  /** Which reading of the file is searched. In the two of code nothing is found that starts inside a text or comment. */
  readonly where: 'whole' | 'code' | 'code-with-comments' | 'comments';
  /** Patterns of paths; none means every file that is neither test nor documentation. */
  readonly in: readonly string[];
  readonly notIn: readonly string[];
  /** A source that excuses a match when it is found there or in the three lines above; '' for no excuse. */
  readonly unless: string;
  /** What it is called in a finding. */
  readonly because: string;
}

const every = (endings: string) => endings.split(' ').map((ending) => `**/*.${ending}`);
const script = every('js mjs cjs jsx ts mts cts tsx vue svelte');
const python = every('py');
const code = [
  ...script,
  ...python,
  ...every('go rs java kt cs c h cc cpp hpp swift php rb scala sh bash lua dart'),
];
const shell = [
  ...every('sh bash zsh'),
  '**/Makefile',
  '**/makefile',
  '**/justfile',
  '**/Justfile',
  '**/package.json',
];
// Other people's code is kept as it came.
const foreign = [
  '**/vendor/**',
  '**/third_party/**',
  '**/node_modules/**',
  '**/*.min.*',
  '**/*.d.ts',
  '**/*.d.mts',
  '**/*.d.cts',
];
/** What holds no program at all: of everything else the rules about the verifier leave nothing out. */
const typesOnly = ['**/*.d.ts', '**/*.d.mts', '**/*.d.cts'];
/** Settings of tools ask which tool runs them; a program that loads them asks through them. */
export const settings: readonly string[] = ['**/*.config.*', '**/babel.config.*'];
const made = ['dist/**', '**/dist/**', 'build/**', 'out/**'];
// A program may end itself; a library that does takes its caller along.
const programs = [
  ...[
    '**/bin/**',
    '**/cli/**',
    '**/cli.*',
    '**/*-cli.*',
    '**/*_cli.*',
    '**/commands/**',
    '**/cmd/**',
    '**/scripts/**',
    '**/tools/**',
  ],
  ...[
    '**/main.*',
    '**/__main__.py',
    '**/server.*',
    '**/*worker*',
    '**/*.config.*',
    '**/examples/**',
    '**/bench/**',
    '**/benchmarks/**',
  ],
];

const base: Omit<Forbidden, 'pattern' | 'because'> = {
  flags: 'mu',
  where: 'code',
  in: code,
  notIn: typesOnly,
  unless: '',
};
const abstract = '\\babstract\\b|\\bABC\\b|\\bProtocol\\b|subclass|sub-class|overrid|derived|\\binterface\\b';

/** What nobody hands in as finished work; each has honest neighbours, which it lets pass. */
export const forbiddenByDefault: readonly Forbidden[] = [
  {
    ...base,
    pattern:
      '\\bthrow\\s+(?:new\\s+)?NotImplemented\\w*|\\b(?:throw\\s+(?:new\\s+)?\\w*(?:Error|Exception)|panic!?|raise\\s+\\w+)\\s*\\(\\s*[\'"`][^\'"`\\n]{0,60}\\bnot (?:yet )?implemented\\b|\\braise\\s+NotImplementedError\\b|(?<![\\w.])(?:todo|unimplemented)!\\s*\\(|\\bTODO\\s*\\(\\s*["\']',
    notIn: [...foreign, ...made],
    flags: 'miu',
    unless: abstract,
    because: 'a stub that only says it is not implemented',
  },
  {
    ...base,
    pattern:
      '(?:^|[/*#;!]|--)[ \\t]*(?:TODO|FIXME|XXX|HACK)\\b(?!-)|\\b(?:TODO|FIXME|XXX|HACK)[ \\t]*[:(]|\\b(?:[Pp]laceholder|[Ss]tub(?:bed)?|[Dd]ummy|[Ff]ake) (?:implementation|for now|value for now|until)|\\b[Nn]ot (?:yet )?implemented(?: yet)?[ \\t]*[.!]?[ \\t]*(?:\\*/)?$|\\b[Ff]or now,? (?:just |we |simply )*(?:return|always|hard-?cod|fake|skip|ignore)|\\b[Ii]mplement (?:me|this|later)\\b',
    where: 'comments',
    notIn: [...foreign, ...made],
    because: 'a comment that says something is left to do',
  },
  {
    ...base,
    pattern:
      'catch[ \\t]*(?:\\([^()]*\\))?\\s*\\{\\s*(?:return\\s+(?:true|0|[\'"](?:ok|success|pass(?:ed)?)[\'"]|\\{\\s*(?:ok|success|valid)\\s*:\\s*true\\b[^{}]*\\})\\s*;?\\s*)?\\}',
    where: 'code-with-comments',
    flags: 'miu',
    in: [...script, ...every('java kt cs php swift dart')],
    notIn: [...foreign, ...made],
    // The answer to "is it broken?" is true when it cannot be read.
    unless:
      '\\b(?:is|are|has)?_?(?:broken|missing|absent|invalid|corrupt|stale|unreadable|unavailable|without|gone|free)',
    because: 'an error that is swallowed without a word, or taken for success',
  },
  {
    ...base,
    pattern:
      '^[ \\t]*except[ \\t]*(?:\\(?(?:Base)?Exception\\)?(?:[ \\t]+as[ \\t]+\\w+)?)?[ \\t]*:\\s*(?:pass|return[ \\t]+True)[ \\t]*$',
    in: python,
    notIn: foreign,
    because: 'an error that is swallowed without a word, or taken for success',
  },
  {
    ...base,
    pattern: '\\bprocess\\.(?:exit|reallyExit)\\s*\\(\\s*0?\\s*\\)|\\bprocess\\.exitCode\\s*=\\s*0\\b',
    in: script,
    notIn: [...typesOnly, ...programs],
    unless: '\\bSIG(?:TERM|INT|HUP)\\b|shutdown|graceful|^#!',
    because: 'an end of the whole process with success, in a library',
  },
  {
    ...base,
    pattern:
      '\\bsys\\.exit\\s*\\(\\s*(?:0|None)?\\s*\\)|\\bos\\._exit\\s*\\(|\\braise\\s+SystemExit\\s*(?:\\(\\s*0?\\s*\\))?\\s*$',
    in: python,
    notIn: [...typesOnly, ...programs],
    unless: '__main__|\\bdef main\\b|\\bfork\\b|SIGTERM|SIGINT',
    because: 'an end of the whole process with success, in a library',
  },
  {
    ...base,
    pattern:
      'eslint-disable(?!(?:-next)?-line[ \\t]+[\\w@])(?!.*--[ \\t]*\\S{3,})|@ts-ignore\\b|@ts-nocheck\\b|#[ \\t]*noqa\\b(?![ \\t]*:[ \\t]*[A-Z]+\\d)|#[ \\t]*type:[ \\t]*ignore\\b(?!\\[)|//[ \\t]*nolint\\b(?!:\\w)|istanbul ignore|c8 ignore|v8 ignore|pragma: no cover',
    where: 'comments',
    notIn: [...foreign, ...made],
    because: 'a checker switched off without a reason',
  },
  {
    ...base,
    pattern:
      '\\b(?:test|lint|check|typecheck|verify|tsc|jest|vitest|mocha|ava|tap|eslint|biome|pytest|tox|mypy|ruff|cargo|clippy|go vet|go test|build)\\b[^\\n#]*\\|\\|[ \\t]*(?:true|:|exit 0|echo)(?=[\\s"\';)]|$)',
    where: 'whole',
    in: shell,
    notIn: foreign,
    because: 'a failure of a check turned into success',
  },
  {
    ...base,
    pattern:
      '\\b(?:globalThis|global|window|self)\\.(?:expect|assert|it|describe|Object|JSON|Reflect)\\s*=(?!=)|\\bObject\\.prototype\\.\\w+\\s*=(?!=)|\\b(?:Object|Reflect)\\.(?:defineProperty|assign)\\s*\\(\\s*(?:Object\\.prototype|assert|globalThis\\.expect)\\b|(?<![\\w.$])assert(?:\\.strict)?\\.\\w+\\s*=(?!=)|(?<![\\w.$])expect\\.\\w+\\s*=(?!=)|\\bModule\\.(?:_load|_resolveFilename|prototype\\.require)\\s*=(?!=)',
    in: script,
    because: 'something that everything else relies on is replaced',
  },
  {
    ...base,
    pattern: '\\basymmetricMatch\\b|[\'"`]jest\\.asymmetricMatcher[\'"`]',
    in: script,
    because: 'a value that assertions take for whatever they want',
  },
  {
    ...base,
    pattern:
      '^[ \\t]*__(?:eq|ne|contains|bool)__[ \\t]*=[ \\t]*lambda[^:\\n]*:[ \\t]*(?:True|1|not[ \\t]+(?:False|None|0))[ \\t]*$',
    in: python,
    because: 'a value that assertions take for whatever they want',
  },
  {
    ...base,
    pattern:
      '\\bdef\\s+__(?:eq|ne|bool|contains)__\\s*\\([^)]*\\)[^:\\n]*:\\s*return\\s+True\\b|\\bbuiltins\\.\\w+\\s*=(?!=)|\\bsetattr\\s*\\(\\s*builtins\\b|\\bunittest\\.\\w+\\.(?:assert\\w+|run)\\s*=(?!=)',
    in: python,
    because: 'something that everything else relies on is replaced',
  },
  {
    ...base,
    pattern:
      '\\bprocess\\.env(?:\\.|\\[[\'"`])(?:VITEST\\w*|JEST_WORKER_ID|MOCHA\\w*|AVA_PATH|TAP|NODE_TEST_CONTEXT|COUNTERSIGN\\w*|GITHUB_ACTIONS|npm_lifecycle_event)\\b|\\bNODE_ENV[\'"`\\]]*\\s*[!=]==?\\s*[\'"`]test[\'"`]|[\'"`]test[\'"`]\\s*[!=]==?\\s*process\\.env(?:\\.|\\[[\'"`])NODE_ENV\\b|(?:includes|startsWith|endsWith|indexOf|match|search|[!=]==?)\\s*\\(?\\s*[\'"`/][^\'"`\\n]{0,60}countersign(?!/|-export)|/[^/\\n]{0,40}countersign(?!_)[^/\\n]{0,40}/[a-z]*\\.(?:test|exec)\\b|\\btypeof\\s+(?:jest|vitest|mocha|describe)\\s*[!=]==?\\s*[\'"`]undefined',
    flags: 'miu',
    in: script,
    notIn: [...typesOnly, ...settings],
    because: 'code that finds out whether it is being tested',
  },
  {
    ...base,
    pattern:
      'PYTEST_CURRENT_TEST|PYTEST_VERSION|environ[^\\n]{0,12}COUNTERSIGN|[\'"][^\'"\\n]{0,40}countersign[^\'"\\n]{0,40}[\'"]\\s+in\\b',
    in: python,
    because: 'code that finds out whether it is being tested',
  },
  ...testProgramsAsked(base, { script, typesOnly, settings }),
  ...surroundingsAsked({ ...base, flags: 'miu' }, { script, python, typesOnly, settings }),
];

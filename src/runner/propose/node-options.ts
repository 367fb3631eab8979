import type { Word } from './shell-words.ts';

/** How a test program is told to report, and what its words mean. */
export interface Program {
  readonly format: string;
  /** Words behind the program's name. */
  readonly report: readonly string[];
  readonly path: string;
  /**
   * Options that are left out: those that choose a report, measure coverage, wait for changes or write expectations,
   * and those that end the run at the first failure, for a control needs all of them.
   */
  readonly without: RegExp;
  /** Options that take the next word. */
  readonly takes: RegExp;
  /** Whether words that are no options name tests. */
  readonly names: boolean;
}

const REPORT = 'countersign-report.json';

const MOCHA: Program = {
  format: 'mocha',
  report: ['--reporter', 'json', '--reporter-option', `output=${REPORT}`],
  path: REPORT,
  without: /^(?:-R|--reporter|-O|--reporter-options?|-w|--watch|--watch-files|--watch-ignore|-b|--bail)$/,
  takes:
    /^(?:-R|--reporter|-O|--reporter-options?|--watch-files|--watch-ignore|-r|--require|-t|--timeouts?|-s|--slow|--config|--package|--opts|-g|--grep|-f|--fgrep|-u|--ui|--extensions?|--file|--ignore|--exclude|--spec|-j|--jobs|--retries|-n|--node-option|-p|--project|--loader|--import|--global)$/,
  names: true,
};

const TAP: Program = {
  format: 'tap',
  report: ['--reporter=tap'],
  path: '',
  without: /^(?:-R|--reporter|--coverage-report|-w|--watch|-b|--bail|-o|--output-file|--output-dir|-d)$/,
  takes: /^(?:-R|--reporter|-j|--jobs|-t|--timeout|-o|--output-file|--node-arg|--test-arg|-g|--grep)$/,
  names: true,
};

/** `node --test`. */
export const NODE: Program = {
  format: 'node',
  report: [],
  path: '',
  without:
    /^(?:--test-reporter|--test-reporter-destination|--watch|--watch-path|--watch-preserve-output|--experimental-test-coverage|--test-coverage-.*|--test-update-snapshots)$/,
  takes:
    /^(?:--test-(?:reporter|reporter-destination|coverage-.*|concurrency|name-pattern|skip-pattern|timeout|shard)|--watch-path|-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--input-type|--tsconfig)$/,
  names: true,
};

/** Test programs by the name of what is started. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  vitest: {
    format: 'vitest',
    report: ['run', '--reporter=json', `--outputFile=${REPORT}`],
    path: REPORT,
    without:
      /^(?:--reporter|--outputFile(?:\..*)?|-w|--watch|--no-watch|--run|--coverage(?:\..*)?|--ui|--open|-u|--update|--changed|--bail)$/,
    takes:
      /^(?:--reporter|--outputFile|--coverage\..*|--bail|-r|--root|-c|--config|--dir|-t|--testNamePattern)$/,
    names: false,
  },
  jest: {
    format: 'jest',
    report: ['--ci', '--json', `--outputFile=${REPORT}`],
    path: REPORT,
    without:
      /^(?:--ci|--json|--outputFile|--reporters|--watch|--watchAll|--coverage\w*|--collectCoverage\w*|-u|--updateSnapshot|-o|--onlyChanged|--changedSince|--lastCommit|-f|--onlyFailures|-b|--bail|--notify)$/,
    takes:
      /^(?:--outputFile|--reporters|--coverage(?:Directory|Reporters|Provider|Threshold|PathIgnorePatterns)|--collectCoverageFrom|--changedSince|-c|--config|--rootDir|-w|--maxWorkers|-t|--testNamePattern)$/,
    names: false,
  },
  mocha: MOCHA,
  _mocha: MOCHA,
  'ts-mocha': MOCHA,
  tape: {
    format: 'tap',
    report: [],
    path: '',
    without: /^$/,
    takes: /^(?:-r|--require|--import|-i|--ignore|--ignore-pattern)$/,
    names: true,
  },
  tap: TAP,
};

/** Words that stay, in their order, and those of them that are neither an option nor its value. */
export function sorted(words: readonly Word[], { without, takes }: Program) {
  const kept: Word[] = [];
  const places: string[] = [];
  for (let at = 0; at < words.length; ) {
    const [word, ...more] = words.slice(at, at + (takes.test(words[at]?.text ?? '') ? 2 : 1));
    if (word === undefined) break;
    at += 1 + more.length;
    const isOption = word.text.startsWith('-');
    if (!isOption) places.push(word.text);
    if (!isOption || !without.test(word.text.replace(/=.*$/s, ''))) kept.push(word, ...more);
  }
  return { kept, places };
}

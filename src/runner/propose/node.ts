import {
  EXAMPLES,
  jsonOf,
  mapping,
  type Project,
  type ProjectFiles,
  type TestProgram,
  textOf,
} from './project.ts';

const reportFile = 'countersign-report.json';
const bin = (name: string) => `./node_modules/.bin/${name}`;

/** What a package.json says about tests, tools, builds and whether anybody can install the package. */
export async function nodeProject(files: ProjectFiles): Promise<Project> {
  const manifest = jsonOf(await textOf(files, 'package.json'));
  const scripts = mapping(manifest.scripts);
  const packages = { ...mapping(manifest.dependencies), ...mapping(manifest.devDependencies) };
  const tests = testProgram(String(scripts.test ?? ''), packages);
  return {
    tests: tests === undefined ? [] : [tests],
    tools: toolNames.flatMap(([id, ...names]) => {
      const name = names.find((n) => typeof scripts[n] === 'string');
      return name === undefined ? [] : [{ id, run: ['npm', 'run', name] }];
    }),
    build: typeof scripts.build === 'string' ? ['npm', 'run', 'build'] : undefined,
    publishable: isPublishable(files, manifest),
    examples: files.names.includes('.countersign') && (await files.read(EXAMPLES)) !== undefined,
  };
}

/** The id of a check, and the names of scripts that it can go by. */
const toolNames: readonly (readonly [string, ...string[]])[] = [
  ['typecheck', 'typecheck', 'type-check', 'check-types', 'types', 'tsc'],
  ['lint', 'lint'],
];

function isPublishable(files: ProjectFiles, manifest: Readonly<Record<string, unknown>>): boolean {
  if (manifest.private === true || !manifest.name || !manifest.version) return false;
  const entries = ['main', 'module', 'exports', 'bin'];
  return entries.some((key) => manifest[key] !== undefined) || files.names.includes('index.js');
}

type Packages = Readonly<Record<string, unknown>>;

function testProgram(script: string, packages: Packages): TestProgram | undefined {
  const uses = (name: string) =>
    new RegExp(`(^|[\\s/;&|])${name}(\\s|$)`).test(script) ||
    (script === '' && Object.hasOwn(packages, name));
  const known = reporting.find(([name]) => uses(name));
  if (known !== undefined) return known[1](packages);
  if (/(^|\s)node\s[^&|;]*--test\b/.test(script))
    return program(['node', '--test', '--test-reporter=tap', ...words(script, 'node')], 'node');
  if (uses('tape')) return program([bin('tape'), ...words(script, 'tape')], 'tap');
  if (uses('tap')) return program([bin('tap'), '--reporter=tap', ...words(script, 'tap')], 'tap');
  if (script === '' || script.includes('no test specified')) return undefined;
  const note = 'The exit code alone is weak evidence; prefer a test program with a report.';
  return { ...program(['npm', 'test'], 'exit'), note };
}

/** Programs that write a report into a file, with the words for it. */
const reporting: readonly (readonly [string, (packages: Packages) => TestProgram])[] = [
  ['vitest', vitest],
  [
    'jest',
    () => ({
      ...program([bin('jest'), '--ci', '--json', `--outputFile=${reportFile}`], 'jest', reportFile),
      coverage: { words: ['--coverage', '--coverageReporters=lcov'], path: lcov, format: 'lcov' },
    }),
  ],
  [
    'mocha',
    () =>
      program(
        [bin('mocha'), '--reporter', 'json', '--reporter-option', `output=${reportFile}`],
        'mocha',
        reportFile,
      ),
  ],
];

const lcov = 'coverage/lcov.info';

function vitest(packages: Packages): TestProgram {
  const run = [bin('vitest'), 'run', '--reporter=json', `--outputFile=${reportFile}`];
  const own = program(run, 'vitest', reportFile);
  const measures = ['@vitest/coverage-v8', '@vitest/coverage-istanbul'].some((name) =>
    Object.hasOwn(packages, name),
  );
  const options = ['--coverage.enabled', '--coverage.reporter=lcov'];
  return measures ? { ...own, coverage: { words: options, path: lcov, format: 'lcov' } } : own;
}

const program = (run: readonly string[], format: string, path = ''): TestProgram => ({
  id: 'tests',
  run,
  format,
  path,
  note: '',
});

/** The files and patterns that a simple script hands to its test program; options are not copied. */
function words(script: string, name: string): readonly string[] {
  if (/[&|;<>$`]/.test(script)) return [];
  const all = script.split(/\s+/).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  const rest = all.slice(all.findIndex((word) => word === name || word.endsWith(`/${name}`)) + 1);
  return rest.filter((word) => word !== '' && !word.startsWith('-'));
}

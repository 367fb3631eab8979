/** What is known about a commit: the names at its top, and a way to read one. */
export interface ProjectFiles {
  readonly names: readonly string[];
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

/** A first criteria file. `checks` is 0 when nothing was recognised; the text then says what to fill in. */
export interface Proposal {
  readonly text: string;
  readonly checks: number;
  /** What was recognised, for people. */
  readonly found: readonly string[];
}

interface ProposedCheck {
  readonly id: string;
  readonly run: readonly string[];
  readonly format: string;
  readonly path: string;
  readonly note: string;
}

/** Recognises the project's own tests and writes criteria that run them with a report. Guesses nothing else. */
export async function proposeCriteria(files: ProjectFiles): Promise<Proposal> {
  const checks = [await nodeCheck(files), goCheck(files), cargoCheck(files), await pytestCheck(files)].filter(
    (check) => check !== undefined,
  );
  return {
    text: checks.length === 0 ? blank : header + checks.map(phrase).join(''),
    checks: checks.length,
    found: checks.map(({ id }) => id),
  };
}

const header = `# What decides whether work is done. Read from the base commit of each item, never from the work itself.
schema: countersign/criteria/1
name: default
checks:
`;

const blank = `# What decides whether work is done. No tests were recognised in this repository.
# Fill in at least one check: until then nothing can be verified. For example:
#   checks:
#     - id: tests
#       kind: command
#       run: ["make", "test"]
#       report: {format: exit}
schema: countersign/criteria/1
name: default
checks: []
`;

function phrase({ id, run, format, path, note }: ProposedCheck): string {
  const report = path === '' ? `{format: ${format}}` : `{format: ${format}, path: ${path}}`;
  const remark = note === '' ? '' : `    # ${note}\n`;
  return `  - id: ${id}\n    kind: command\n${remark}    run: ${JSON.stringify(run)}\n    report: ${report}\n`;
}

const reportFile = 'countersign-report.json';
const bin = (name: string) => `./node_modules/.bin/${name}`;

async function nodeCheck(files: ProjectFiles): Promise<ProposedCheck | undefined> {
  const manifest = parse(await text(files, 'package.json'));
  const script = String(mapping(manifest.scripts).test ?? '');
  const packages = { ...mapping(manifest.dependencies), ...mapping(manifest.devDependencies) };
  const uses = (name: string) =>
    new RegExp(`(^|[\\s/;&|])${name}(\\s|$)`).test(script) ||
    (script === '' && Object.hasOwn(packages, name));
  const check = (run: readonly string[], format: string, path = '', note = ''): ProposedCheck => ({
    id: 'tests',
    run,
    format,
    path,
    note,
  });
  if (uses('vitest'))
    return check(
      [bin('vitest'), 'run', '--reporter=json', `--outputFile=${reportFile}`],
      'vitest',
      reportFile,
    );
  if (uses('jest'))
    return check([bin('jest'), '--ci', '--json', `--outputFile=${reportFile}`], 'jest', reportFile);
  if (uses('mocha'))
    return check(
      [bin('mocha'), '--reporter', 'json', '--reporter-option', `output=${reportFile}`],
      'mocha',
      reportFile,
    );
  if (/(^|\s)node\s[^&|;]*--test\b/.test(script))
    return check(['node', '--test', '--test-reporter=tap', ...words(script, 'node')], 'node');
  if (uses('tape')) return check([bin('tape'), ...words(script, 'tape')], 'tap');
  if (uses('tap')) return check([bin('tap'), '--reporter=tap', ...words(script, 'tap')], 'tap');
  if (script === '' || script.includes('no test specified')) return undefined;
  return check(
    ['npm', 'test'],
    'exit',
    '',
    'The exit code alone is weak evidence; prefer a test program with a report.',
  );
}

/** The files and patterns that a simple script hands to its test program; options are not copied. */
function words(script: string, program: string): readonly string[] {
  if (/[&|;<>$`]/.test(script)) return [];
  const all = script.split(/\s+/).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  const rest = all.slice(all.findIndex((word) => word === program || word.endsWith(`/${program}`)) + 1);
  return rest.filter((word) => word !== '' && !word.startsWith('-'));
}

const goCheck = ({ names }: ProjectFiles): ProposedCheck | undefined =>
  names.includes('go.mod')
    ? { id: 'go-tests', run: ['go', 'test', '-json', './...'], format: 'go', path: '', note: '' }
    : undefined;

const cargoCheck = ({ names }: ProjectFiles): ProposedCheck | undefined =>
  names.includes('Cargo.toml')
    ? {
        id: 'cargo-tests',
        run: ['cargo', 'test', '--workspace', '--no-fail-fast'],
        format: 'cargo',
        path: '',
        note: '',
      }
    : undefined;

async function pytestCheck(files: ProjectFiles): Promise<ProposedCheck | undefined> {
  const hints = files.names.filter((name) =>
    /^(pyproject\.toml|setup\.cfg|tox\.ini|requirements.*\.txt)$/.test(name),
  );
  const texts = await Promise.all(hints.map((name) => text(files, name)));
  const known = ['pytest.ini', 'conftest.py'].some((name) => files.names.includes(name));
  if (!known && !texts.some((content) => /\bpytest\b/.test(content))) return undefined;
  const path = 'countersign-report.xml';
  return {
    id: 'pytest',
    run: ['python3', '-m', 'pytest', `--junitxml=${path}`],
    format: 'junit',
    path,
    note: '',
  };
}

async function text(files: ProjectFiles, name: string): Promise<string> {
  const bytes = files.names.includes(name) ? await files.read(name) : undefined;
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    return mapping(JSON.parse(json));
  } catch {
    return {};
  }
}

const mapping = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

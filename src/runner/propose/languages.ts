import { type ProjectFiles, type TestProgram, textOf } from './project.ts';
import { unittests } from './python.ts';

/** The test programs that go.mod, Cargo.toml, Python's settings and its test files stand for. */
export async function otherLanguages(files: ProjectFiles): Promise<readonly TestProgram[]> {
  const python = (await pytest(files)) ?? (await unittests(files));
  return [goTests(files), cargoTests(files), python].filter((found) => found !== undefined);
}

const goTests = ({ names }: ProjectFiles): TestProgram | undefined =>
  names.includes('go.mod')
    ? { id: 'go-tests', run: ['go', 'test', '-json', './...'], format: 'go', path: '', note: '' }
    : undefined;

const cargoTests = ({ names }: ProjectFiles): TestProgram | undefined =>
  names.includes('Cargo.toml')
    ? {
        id: 'cargo-tests',
        run: ['cargo', 'test', '--workspace', '--no-fail-fast', '--offline'],
        format: 'cargo',
        path: '',
        note: '',
      }
    : undefined;

async function pytest(files: ProjectFiles): Promise<TestProgram | undefined> {
  const hints = files.names.filter((name) =>
    /^(pyproject\.toml|setup\.cfg|tox\.ini|requirements.*\.txt)$/.test(name),
  );
  const texts = await Promise.all(hints.map((name) => textOf(files, name)));
  const known = ['pytest.ini', 'conftest.py'].some((name) => files.names.includes(name));
  if (!known && !texts.some((content) => /\bpytest\b/.test(content))) return undefined;
  const path = 'countersign-report.xml';
  const run = ['python3', '-m', 'pytest', `--junitxml=${path}`];
  const own: TestProgram = { id: 'pytest', run, format: 'junit', path, note: '' };
  if (!texts.some((content) => /\bpytest-cov\b/.test(content))) return own;
  const words = ['--cov', '--cov-report=xml'];
  return { ...own, coverage: { words, path: 'coverage.xml', format: 'cobertura' } };
}

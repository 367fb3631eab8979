import { type ProjectFiles, type TestProgram, textOf } from './project.ts';

/** The test programs that go.mod, Cargo.toml and Python's settings stand for. */
export async function otherLanguages(files: ProjectFiles): Promise<readonly TestProgram[]> {
  return [goTests(files), cargoTests(files), await pytest(files)].filter((found) => found !== undefined);
}

const goTests = ({ names }: ProjectFiles): TestProgram | undefined =>
  names.includes('go.mod')
    ? { id: 'go-tests', run: ['go', 'test', '-json', './...'], format: 'go', path: '', note: '' }
    : undefined;

const cargoTests = ({ names }: ProjectFiles): TestProgram | undefined =>
  names.includes('Cargo.toml')
    ? {
        id: 'cargo-tests',
        run: ['cargo', 'test', '--workspace', '--no-fail-fast'],
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

const weak = 'The exit code alone is weak evidence; prefer a test program with a report.';

/** `make test` or `make check`, where a Makefile has such a target. */
export async function makeTests(files: ProjectFiles): Promise<readonly TestProgram[]> {
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    const target = /^(test|check)\s*:(?!=)/m.exec(await textOf(files, name))?.[1];
    if (target !== undefined)
      return [{ id: 'tests', run: ['make', target], format: 'exit', path: '', note: weak }];
  }
  return [];
}

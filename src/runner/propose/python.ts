import { type Machine, type ProjectFiles, type TestProgram, type Tool, textOf, WEAK } from './project.ts';

const TEST_FILE = /^test.*\.py$/;

/** Tests of Python's own library, found by `discover`: at the top, or in a folder named tests or test. */
export async function unittests(files: ProjectFiles): Promise<TestProgram | undefined> {
  const run = ['python3', '-m', 'unittest', 'discover', '-v'];
  const own = (words: readonly string[]): TestProgram => ({
    id: 'unittest',
    run: words,
    format: 'exit',
    path: '',
    note: WEAK,
  });
  if (await usesUnittest(files, '', files.names)) return own(run);
  for (const folder of ['tests', 'test']) {
    const names = files.names.includes(folder) ? ((await files.list?.(folder)) ?? []) : [];
    if (!(await usesUnittest(files, `${folder}/`, names))) continue;
    // A package is found from the top; a plain folder has to be named.
    return own(names.includes('__init__.py') ? run : [...run, '-s', folder]);
  }
  return undefined;
}

async function usesUnittest(files: ProjectFiles, folder: string, names: readonly string[]): Promise<boolean> {
  for (const name of names.filter((each) => TEST_FILE.test(each)).slice(0, 20)) {
    const bytes = await files.read(`${folder}${name}`);
    if (bytes !== undefined && /^\s*(?:import|from)\s+unittest\b/m.test(new TextDecoder().decode(bytes)))
      return true;
  }
  return false;
}

/** Linters and type checkers that have settings here. */
export async function pythonTools(files: ProjectFiles): Promise<readonly Tool[]> {
  const [project, setup, own] = await Promise.all(
    ['pyproject.toml', 'setup.cfg', 'mypy.ini'].map((name) => textOf(files, name)),
  );
  const tools: Tool[] = [];
  const ruff = ['ruff.toml', '.ruff.toml'].some((name) => files.names.includes(name));
  if (ruff || /^\[tool\.ruff\b/m.test(project ?? '')) tools.push({ id: 'ruff', run: ['ruff', 'check', '.'] });
  const mypy =
    own || /^\[mypy\][^[]*/m.exec(setup ?? '')?.[0] || /^\[tool\.mypy\][^[]*/m.exec(project ?? '')?.[0];
  const names = /^\s*(?:files|packages|modules)\s*=/m.test(mypy ?? '');
  if (mypy) tools.push({ id: 'mypy', run: names ? ['mypy'] : ['mypy', '.'] });
  return tools;
}

/** The same with the interpreter that has pytest here, where the one that checks find by its name has not. */
export function withInterpreter(
  tests: readonly TestProgram[],
  machine: Machine,
): { readonly tests: readonly TestProgram[]; readonly notes: readonly string[] } {
  if (machine.pythonWith === undefined || !tests.some(({ id }) => id === 'pytest'))
    return { tests, notes: [] };
  const python = machine.pythonWith('pytest');
  if (python === 'python3') return { tests, notes: [] };
  if (python === undefined)
    return {
      tests,
      notes: [
        'the python3 that checks find has no pytest: until it has, or the criteria name an interpreter by its absolute path that has and lies outside of the repository, the check stays inconclusive',
      ],
    };
  return {
    tests: tests.map((test) =>
      test.id === 'pytest' && typeof test.run !== 'string'
        ? { ...test, run: [python, ...test.run.slice(1)] }
        : test,
    ),
    notes: [
      `the python3 that checks find has no pytest, so the criteria name ${python}, which is of this machine: programs that may write there decide what the tests run on`,
    ],
  };
}

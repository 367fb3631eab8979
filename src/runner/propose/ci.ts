import { mapping, type ProjectFiles, type TestProgram, yamlOf } from './project.ts';

/** Lines that a project's own CI runs and that look like tests, in the order of its files. At most 20. */
export async function ciTestLines(files: ProjectFiles): Promise<readonly string[]> {
  const documents = [
    ...(await workflows(files)).map((text) => ({ text, linesOf: stepsOf })),
    ...(await contents(files, ['.gitlab-ci.yml'])).map((text) => ({ text, linesOf: scriptsOf })),
  ];
  const lines: string[] = [];
  for (const { text, linesOf } of documents) lines.push(...linesOf(await yamlOf(text)));
  return [...new Set(lines.map((line) => line.trim()).filter(looksLikeTests))].slice(0, 20);
}

/** The CI's lines as checks: only for a project that shows its tests nowhere else. */
export const ciPrograms = (lines: readonly string[]): readonly TestProgram[] =>
  lines.map((line, i) => ({
    id: i === 0 ? 'tests' : `tests-${i + 1}`,
    run: /^[\w@%+=:,./ -]+$/.test(line) ? line.split(/ +/) : line,
    format: 'exit',
    path: '',
    note: 'From the CI. The exit code alone is weak evidence; prefer a test program with a report.',
  }));

const WORKFLOWS = '.github/workflows';

async function workflows(files: ProjectFiles): Promise<readonly string[]> {
  if (!files.names.includes('.github') || files.list === undefined) return [];
  const names = (await files.list(WORKFLOWS)).filter((name) => /\.ya?ml$/.test(name));
  return contents(
    files,
    [...names].sort().map((name) => `${WORKFLOWS}/${name}`),
  );
}

async function contents(files: ProjectFiles, paths: readonly string[]): Promise<readonly string[]> {
  const all: string[] = [];
  for (const path of paths) {
    const known = path.includes('/') || files.names.includes(path);
    const bytes = known ? await files.read(path) : undefined;
    if (bytes !== undefined) all.push(new TextDecoder().decode(bytes));
  }
  return all;
}

function stepsOf(workflow: unknown): readonly string[] {
  const jobs = Object.values(mapping(mapping(workflow).jobs));
  const steps = jobs.flatMap((job) => listed(mapping(job).steps));
  return steps.flatMap((step) => linesIn(mapping(step).run));
}

const scriptsOf = (pipeline: unknown): readonly string[] =>
  Object.values(mapping(pipeline)).flatMap((job) => listed(mapping(job).script).flatMap(linesIn));

const listed = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const linesIn = (value: unknown): readonly string[] => (typeof value === 'string' ? value.split('\n') : []);

function looksLikeTests(line: string): boolean {
  if (line === '' || line.startsWith('#') || line.includes('${{') || line.endsWith('\\')) return false;
  if (/\b(install|add|echo|upload|curl|wget|docker|git|cd|export|mkdir|cp)\b/.test(line)) return false;
  return /(^|[\s:/])(tests?|check|spec|rspec|pytest|ctest|phpunit|tox|nox)(\b|:)/.test(line);
}

import { type ProjectFiles, type TestProgram, type Tool, textOf, WEAK } from './project.ts';

/** `make test` or `make check`, where a Makefile has such a target. */
export async function makeTests(files: ProjectFiles): Promise<readonly TestProgram[]> {
  const rules = await rulesOf(files);
  const target = ['test', 'check'].find((name) => rules.has(name));
  if (target === undefined) return [];
  return [{ id: 'tests', run: ['make', target], format: 'exit', path: '', note: WEAK }];
}

/** Targets that look at the sources: `lint`, `typecheck`, and a `check` that does not run the tests once more. */
export async function makeTools(files: ProjectFiles): Promise<readonly Tool[]> {
  const rules = await rulesOf(files);
  const isTool = (name: string) => name !== 'check' || !/\btests?\b/.test(rules.get(name) ?? 'test');
  return ['typecheck', 'lint', 'check']
    .filter((name) => rules.has(name) && isTool(name))
    .map((name) => ({ id: name, run: ['make', name] }));
}

/** Targets with what they need and do. */
async function rulesOf(files: ProjectFiles): Promise<ReadonlyMap<string, string>> {
  const names = ['GNUmakefile', 'makefile', 'Makefile'];
  const texts = await Promise.all(names.map((name) => textOf(files, name)));
  const text = texts.find((each) => each !== '') ?? '';
  const rules = [...text.matchAll(/^([\w-]+)\s*:(?!=)(.*(?:\n\t.*)*)/gm)];
  return new Map(rules.map(([, name = '', rest = '']) => [name, rest]));
}

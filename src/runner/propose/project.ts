/** What is known about a commit or a working tree: names at its top, and a way to read files. */
export interface ProjectFiles {
  readonly names: readonly string[];
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** Names in a folder below the top; without it only the top is looked at. */
  readonly list?: (folder: string) => Promise<readonly string[]>;
}

/** What a machine offers to checks. */
export interface Machine {
  /** The variables that criteria have to let through for a program to be found; undefined where it is not there. */
  variablesFor(program: string): readonly string[] | undefined;
  /** `python3` or the absolute path of an interpreter that has this module; undefined where none has. */
  pythonWith?(module: string): string | undefined;
}

/** A program that runs tests. `format` is that of its report; `exit` when it has none. */
export interface TestProgram {
  readonly id: string;
  /** Words, or one line for a shell. */
  readonly run: readonly string[] | string;
  readonly format: string;
  /** The file of the report; '' reads the standard output. */
  readonly path: string;
  readonly note: string;
  /** The folder of its package, where it is one of several; '' or absent for the top. */
  readonly directory?: string;
  /** Patterns of its tests below that folder, where the usual ones do not name them. */
  readonly files?: readonly string[];
  /** How the same program is made to measure coverage, where the project has what that needs. */
  readonly coverage?: CoverageOutput;
}

export interface CoverageOutput {
  readonly words: readonly string[];
  readonly path: string;
  readonly format: 'lcov' | 'cobertura';
}

/** A program whose exit code says whether something holds: a type check, a linter. */
export interface Tool {
  readonly id: string;
  readonly run: readonly string[];
  /** Part of what the project calls its tests: asked in every tier. */
  readonly isTest?: boolean;
}

/** Everything that was recognised of a project. Nothing in it is guessed. */
export interface Project {
  /** None is no reason for no criteria: the other tiers still look at the change. */
  readonly tests: readonly TestProgram[];
  readonly tools: readonly Tool[];
  /** Commands that the project's tests consist of as well, and that no check repeats. */
  readonly aside: readonly string[];
  /** What has to be built before anything can be tried; undefined where nothing has. */
  readonly build: readonly string[] | undefined;
  /** True for an npm package that others can install. */
  readonly publishable: boolean;
  /** True where acceptance examples lie at their usual place. */
  readonly examples: boolean;
}

/** Where acceptance examples of a project lie unless its criteria say otherwise. */
export const EXAMPLES = '.countersign/acceptance/default.yaml';

/** What is said of a program whose exit code is all there is. */
export const WEAK = 'The exit code alone is weak evidence; prefer a test program with a report.';

/** '' where there is no such file at the top. */
export async function textOf(files: ProjectFiles, name: string): Promise<string> {
  const bytes = files.names.includes(name) ? await files.read(name) : undefined;
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

/** {} for anything that is no JSON mapping. */
export function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return mapping(JSON.parse(text));
  } catch {
    return {};
  }
}

/** What a YAML text says; undefined for anything that is none. */
export async function yamlOf(text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(text, { maxAliasCount: 50, logLevel: 'error' });
  } catch {
    return undefined;
  }
}

export const mapping = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

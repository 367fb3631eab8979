import { bin } from './node-command.ts';
import type { Packages } from './node-programs.ts';
import { type Step, stepsOf } from './node-steps.ts';
import { fromAbove, nodeTests } from './node-tests.ts';
import { jsonOf, mapping, type ProjectFiles, type TestProgram, textOf, WEAK, yamlOf } from './project.ts';

/** More packages with tests than this are run by one command. */
const MOST_PACKAGES = 10;

/** The folders of a repository of several packages: npm's and yarn's `workspaces`, or pnpm's file. None for one package. */
export async function workspaceFolders(
  files: ProjectFiles,
  manifest: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { workspaces } = manifest;
  const own = Array.isArray(workspaces) ? workspaces : mapping(workspaces).packages;
  const listed: unknown = own ?? (await pnpmPackages(files));
  const patterns = (Array.isArray(listed) ? listed : []).filter(
    (pattern): pattern is string => typeof pattern === 'string' && !pattern.startsWith('!'),
  );
  const folders: string[] = [];
  for (const pattern of patterns) folders.push(...(await matching(files, pattern.replace(/^\.\/|\/$/g, ''))));
  return [...new Set(folders)].sort();
}

async function pnpmPackages(files: ProjectFiles): Promise<unknown> {
  const text = await textOf(files, 'pnpm-workspace.yaml');
  return text === '' ? undefined : mapping(await yamlOf(text)).packages;
}

/** Folders with a manifest; a star stands for one level, and two for the first level only. */
async function matching(files: ProjectFiles, pattern: string): Promise<readonly string[]> {
  const [, above, rest] = /^([^*]*?)\/?(\*{1,2})$/.exec(pattern) ?? [undefined, pattern, ''];
  if (above === undefined || above.includes('*') || above.split('/').includes('..')) return [];
  const names = rest === '' ? [] : above === '' ? files.names : ((await files.list?.(above)) ?? []);
  const folders = rest === '' ? [above] : names.map((name) => (above === '' ? name : `${above}/${name}`));
  const found: string[] = [];
  for (const folder of folders)
    if ((await files.read(`${folder}/package.json`)) !== undefined) found.push(folder);
  return found;
}

/**
 * Whether `npm test` at the top only runs the tests of every package, beside linters: as npm
 * (https://docs.npmjs.com/cli/using-npm/workspaces), pnpm and yarn let it. A program that orders packages, or builds
 * them first, may do more than that.
 */
export function runsPackages(scripts: Readonly<Record<string, unknown>>, packages: Packages): boolean {
  const steps = stepsOf('test', scripts, packages) ?? [];
  const others = steps.filter(({ is }) => is === 'other');
  const isAll = (step: Step) => step.is === 'other' && ALL.test(step.words.map(({ text }) => text).join(' '));
  return others.length === 1 && others.every(isAll) && steps.every(({ is }) => is !== 'tests');
}

const OPTIONS = String.raw`(?: (?:--if-present|--parallel|--stream|--silent|-s|--no-bail|--bail|--include-workspace-root=false|--workspace-concurrency[= ]\S+))*`;
const EVERY = '(?:--workspaces|-ws|--ws)';
const TESTS = '(?:test|t|run test|run-script test)';
const ALL = new RegExp(
  [
    `npm${OPTIONS} ${TESTS}${OPTIONS} ${EVERY}${OPTIONS}`,
    `npm${OPTIONS} ${EVERY}${OPTIONS} ${TESTS}${OPTIONS}`,
    `pnpm${OPTIONS} (?:-r|--recursive|recursive)${OPTIONS} ${TESTS}${OPTIONS}`,
    `pnpm${OPTIONS} ${TESTS}${OPTIONS} (?:-r|--recursive)${OPTIONS}`,
    'yarn workspaces run test',
    'yarn workspaces foreach(?: (?:-[Apitv]+|--all|--parallel|--interlaced|--verbose|--topological))* run test',
  ]
    .map((form) => `^${form}$`)
    .join('|'),
);

/**
 * The tests of packages whose top has no test script, or one that runs theirs: each with its own report where every one of them has one, else
 * all by one command of the package manager.
 */
export async function workspaceTests(
  files: ProjectFiles,
  folders: readonly string[],
  shared: Packages,
): Promise<readonly TestProgram[]> {
  const found: (TestProgram | undefined)[] = [];
  for (const folder of folders) {
    const bytes = await files.read(`${folder}/package.json`);
    const manifest = jsonOf(new TextDecoder().decode(bytes ?? new Uint8Array()));
    const scripts = mapping(manifest.scripts);
    if (typeof scripts.test !== 'string') continue;
    const own = { ...mapping(manifest.dependencies), ...mapping(manifest.devDependencies) };
    const names = (await files.list?.(folder)) ?? [];
    const { tests, tools } = nodeTests({ scripts, packages: { ...shared, ...own }, names, places: [] });
    const isWhole = !tools.some(({ isTest }) => isTest);
    found.push(...tests.map((each) => (isWhole ? inFolder(files, folder, each, own) : undefined)));
  }
  if (found.length === 0) return [];
  const each = found.filter((program) => program !== undefined);
  return each.length === found.length && each.length <= MOST_PACKAGES ? each : [together(files)];
}

/** undefined for a program without a report of its own. */
function inFolder(
  { names }: ProjectFiles,
  folder: string,
  program: TestProgram,
  own: Packages,
): TestProgram | undefined {
  const { run, id, format, path, files } = program;
  if (format === 'exit') return undefined;
  // npm and yarn put programs at the top, pnpm beside the package that names them.
  const isBeside =
    names.includes('pnpm-workspace.yaml') && Object.keys(own).some((name) => `${run}`.includes(bin(name)));
  const up = folder.replace(/[^/]+/g, '..');
  return {
    id: `${folder.replace(/[^\w.-]+/g, '-')}-${id}`,
    run: isBeside ? run : fromAbove(program, up),
    format,
    path: path === '' ? '' : `${folder}/${path}`,
    note: '',
    directory: folder,
    ...(files === undefined ? {} : { files }),
  };
}

function together({ names }: ProjectFiles): TestProgram {
  const run = names.includes('pnpm-workspace.yaml')
    ? ['pnpm', '-r', '--if-present', 'run', 'test']
    : names.includes('yarn.lock')
      ? ['yarn', 'workspaces', 'run', 'test']
      : ['npm', 'test', '--workspaces', '--if-present'];
  return { id: 'tests', run, format: 'exit', path: '', note: WEAK };
}

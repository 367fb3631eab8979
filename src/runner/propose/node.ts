import { bin } from './node-command.ts';
import type { Packages } from './node-programs.ts';
import { differentIds, nodeTests } from './node-tests.ts';
import {
  EXAMPLES,
  jsonOf,
  mapping,
  type Project,
  type ProjectFiles,
  type Tool,
  textOf,
  yamlOf,
} from './project.ts';
import { runsPackages, workspaceFolders, workspaceTests } from './workspaces.ts';

/** What a package.json says about tests, tools, builds and whether anybody can install the package. */
export async function nodeProject(files: ProjectFiles): Promise<Project> {
  const manifest = jsonOf(await textOf(files, 'package.json'));
  const scripts = mapping(manifest.scripts);
  const packages = { ...mapping(manifest.dependencies), ...mapping(manifest.devDependencies) };
  const folders = await workspaceFolders(files, manifest);
  const places = await mochaPlaces(files, manifest);
  // At the top of several packages a dependency alone does not say that tests are run from there.
  const alone = folders.length > 0 && typeof scripts.test !== 'string' ? {} : packages;
  const own = nodeTests({ scripts, packages: alone, names: files.names, places });
  const runsAll = runsPackages(scripts, packages);
  const each = own.tests.length === 0 || runsAll ? await workspaceTests(files, folders, packages) : [];
  const isEach = each.length > 0 && (own.tests.length === 0 || each.every(({ format }) => format !== 'exit'));
  return {
    tests: isEach ? each : own.tests,
    tools: merged(await toolsOf(files, scripts, packages), own.tools),
    aside: own.aside,
    build: typeof scripts.build === 'string' ? ['npm', 'run', 'build'] : undefined,
    publishable: isPublishable(files, manifest),
    examples: files.names.includes('.countersign') && (await files.read(EXAMPLES)) !== undefined,
  };
}

/** One command is one check, whatever it is called; the project's own names come first. */
function merged(named: readonly Tool[], more: readonly Tool[]): readonly Tool[] {
  const all = [...named, ...more];
  const isKnown = ({ run }: Tool, i: number) =>
    all.findIndex((other) => String(other.run) === String(run)) < i;
  return differentIds(all.filter((tool, i) => !isKnown(tool, i)));
}

/** Tests that mocha's settings name. */
async function mochaPlaces(files: ProjectFiles, manifest: Readonly<Record<string, unknown>>) {
  const texts = await Promise.all(
    ['.mocharc.json', '.mocharc.jsonc', '.mocharc.yaml', '.mocharc.yml'].map((name) => textOf(files, name)),
  );
  const text = texts.find((each) => each !== '');
  const settings = text === undefined ? mapping(manifest.mocha) : mapping(await yamlOf(text));
  return [settings.spec].flat().filter((place) => typeof place === 'string');
}

async function toolsOf(
  files: ProjectFiles,
  scripts: Readonly<Record<string, unknown>>,
  packages: Packages,
): Promise<readonly Tool[]> {
  const named = toolNames.flatMap(([id, ...names]) => {
    const name = names.find((n) => typeof scripts[n] === 'string');
    return name === undefined ? [] : [{ id, run: ['npm', 'run', name] }];
  });
  if (named.some(({ id }) => id === 'typecheck') || !Object.hasOwn(packages, 'typescript')) return named;
  const config = await textOf(files, 'tsconfig.json');
  // One that only refers to others checks nothing by itself.
  if (config === '' || /"references"\s*:/.test(config)) return named;
  return [{ id: 'typecheck', run: [bin('tsc'), '--noEmit'] }, ...named];
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

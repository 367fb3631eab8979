import type { BaseFiles } from '../change.ts';
import { matchesGlob } from '../glob.ts';
import { asMapping, asText, type Json } from '../parsers/json.ts';
import type { ChangedText } from './changed-text.ts';
import { mappingOf } from './entries.ts';
import { workspacesOf } from './lock-entries.ts';
import { lockRepeats } from './manifest.ts';

/** A package of the repository that the work adds, in a folder where base has nothing and says that packages lie. */
export interface NewPackage {
  readonly folder: string;
  readonly name: string;
}

/**
 * What makes a package a new one: its own manifest, below patterns of base's workspaces. What its scripts are called
 * nobody started before; scripts that an installation starts by itself are none of these.
 */
export async function newPackages(
  texts: readonly ChangedText[],
  base: BaseFiles,
): Promise<readonly NewPackage[]> {
  const added = texts.filter(({ path, status }) => status === 'added' && path.endsWith('/package.json'));
  if (added.length === 0) return [];
  const patterns = await patternsIn(base);
  const there = await base.paths();
  return added.flatMap(({ path, after }): readonly NewPackage[] => {
    const folder = path.slice(0, -'/package.json'.length);
    const name = asText(mappingOf(after).name) ?? '';
    const isNew = !there.some((known) => known.startsWith(`${folder}/`));
    return name !== '' && isNew && isBelow(folder, patterns) ? [{ folder, name }] : [];
  });
}

const isBelow = (folder: string, patterns: readonly string[]) =>
  !/(^|\/)(?:\.\.|node_modules)(\/|$)/.test(folder) &&
  patterns.some((pattern) => matchesGlob(folder, pattern.replace(/^\.\//, '').replace(/\/+$/, '')));

/** As npm and yarn, and as pnpm name them: https://pnpm.io/pnpm-workspace_yaml. */
async function patternsIn(base: BaseFiles): Promise<readonly string[]> {
  const files = await base.read(['package.json', 'pnpm-workspace.yaml']);
  const text = (path: string) => files.get(path)?.toString('utf8') ?? '';
  const listed = [...text('pnpm-workspace.yaml').matchAll(/^\s*-\s*["']?([^"'#\s!][^"'#\s]*)/gm)];
  return [...workspacesOf(text('package.json')), ...listed.map(([, pattern = '']) => pattern)];
}

/** Scripts that the installation of a package starts: https://docs.npmjs.com/cli/using-npm/scripts. */
const AT_INSTALL =
  /^(?:(?:pre|post)?install|(?:pre|post)?prepare|prepublish|dependencies|pnpm:devPreinstall)$/;

/** The manifest of a new package, less the scripts that only somebody who means this package starts. */
export function withoutOwnScripts(after: string): string {
  const { scripts, ...rest } = mappingOf(after);
  const started = Object.keys(asMapping(scripts) ?? {}).filter((name) => AT_INSTALL.test(name));
  return JSON.stringify(started.length === 0 ? rest : { ...rest, scripts });
}

/** Whether a lockfile only took up these packages: their links and entries, and nothing that comes from elsewhere. */
export function onlyTakesUp(text: ChangedText, packages: readonly NewPackage[]): boolean {
  if (packages.length === 0 || text.status !== 'modified') return false;
  if (!text.path.endsWith('.json')) {
    // pnpm, yarn and bun: whatever was said stays said.
    return text.diff().removed.size === 0;
  }
  const { packages: listed, ...rest } = mappingOf(text.after);
  const others = Object.entries(asMapping(listed) ?? {}).filter(
    ([place, said]) => !packages.some((one) => isEntryOf(one, place, asMapping(said) ?? {})),
  );
  return lockRepeats(text.before, JSON.stringify({ ...rest, packages: Object.fromEntries(others) }));
}

const isEntryOf = ({ folder, name }: NewPackage, place: string, said: Json) =>
  place === folder || (place === `node_modules/${name}` && said.link === true && said.resolved === folder);

/** Programs that checks are usually started by, for lockfiles that do not tell the programs of packages. */
const USUAL =
  'ava biome c8 cross-env cypress env-cmd eslint jasmine jest knip karma mocha node npm npx nyc oxlint playwright pnpm prettier rollup stylelint tap tape ts-node tsc tsx turbo uvu vite vitest vue-tsc yarn'.split(
    ' ',
  );

/**
 * Programs that a package of the repository brings under the name of one that base has from elsewhere: an installation
 * puts both into one place, and the checks start whichever was put there last.
 */
export async function takenPrograms({ path, before, after }: ChangedText, base: BaseFiles) {
  if (!path.includes('/')) return [];
  const had = new Set(programsOf(mappingOf(before)));
  const brought = programsOf(mappingOf(after)).filter((name) => !had.has(name));
  if (brought.length === 0) return [];
  const lock = (await base.read(['package-lock.json'])).get('package-lock.json')?.toString('utf8') ?? '';
  const fetched = Object.entries(asMapping(mappingOf(lock).packages) ?? {}).flatMap(([place, said]) =>
    place.includes('node_modules/') ? Object.keys(asMapping(asMapping(said)?.bin) ?? {}) : [],
  );
  const known = new Set([...fetched, ...USUAL]);
  return brought.filter((name) => known.has(name));
}

function programsOf({ name, bin, directories }: Json): readonly string[] {
  // A folder of programs may hold any.
  if (asMapping(directories)?.bin !== undefined) return [...Object.keys(asMapping(bin) ?? {}), ...USUAL];
  if (typeof bin === 'string') return [(asText(name) ?? '').replace(/^@[^/]*\//, '')];
  return Object.keys(asMapping(bin) ?? {});
}

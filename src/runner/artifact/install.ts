import { chmod, mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { runProcess } from '../process.ts';
import { copyDependencies, type Source } from './dependencies.ts';
import { isMapping, type Manifest, readManifest } from './manifest.ts';
import { broken, type Means, type NoArtifact, open } from './pack.ts';

/** A package in a folder that holds nothing else, as a consumer has it. */
export interface Installed {
  /** The consumer's folder, with node_modules below it. */
  readonly place: string;
  readonly manifest: Manifest;
}

/**
 * Puts a packed package and its dependencies into an empty folder, without the network, without scripts, and without
 * what only its development needs. `name` is what the tarball must call itself.
 */
export async function installTarball(
  tarball: string,
  source: Source,
  name: string,
  means: Means,
): Promise<Installed | NoArtifact> {
  const { place } = source;
  const folder = join(place, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  const ended = await runProcess({
    argv: ['tar', '-xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner'],
    cwd: place,
    env: means.env,
    timeoutMs: 120_000,
    maxOutput: 1_000_000,
    signal: means.signal,
    wrap: (plain) => plain,
  });
  if (ended.aborted) return open('the run was aborted');
  if (ended.exitCode !== 0)
    return open(`the tarball could not be unpacked: ${ended.output.toString('utf8').trim().slice(-300)}`);
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') return broken(`in the tarball: ${manifest}`);
  const cause = await copyDependencies(source, manifest.raw, await bundled(folder, manifest));
  if (cause !== undefined) return open(cause);
  const fault = await linkBins(place, folder, manifest);
  if (fault !== undefined) return broken(fault);
  const consumer = {
    name: 'app',
    version: '1.0.0',
    private: true,
    dependencies: { [name]: manifest.version },
  };
  await writeFile(join(place, 'package.json'), `${JSON.stringify(consumer, null, 2)}\n`);
  return { place, manifest };
}

/** Of what the manifest says it brings along, only what is really in the tarball. */
async function bundled(folder: string, { raw }: Manifest): Promise<ReadonlySet<string>> {
  const said = raw.bundleDependencies ?? raw.bundledDependencies;
  const dependencies = isMapping(raw.dependencies) ? Object.keys(raw.dependencies) : [];
  const names = said === true ? dependencies : Array.isArray(said) ? said.map(String) : [];
  const found = await readdir(join(folder, 'node_modules')).catch(() => []);
  const scoped = await Promise.all(
    found
      .filter((name) => name.startsWith('@'))
      .map(async (scope) =>
        (await readdir(join(folder, 'node_modules', scope))).map((name) => `${scope}/${name}`),
      ),
  );
  const there = new Set([...found, ...scoped.flat()]);
  return new Set(names.filter((name) => there.has(name)));
}

async function linkBins(place: string, folder: string, manifest: Manifest): Promise<string | undefined> {
  const links = join(place, 'node_modules', '.bin');
  for (const [name, path] of manifest.bins) {
    const target = await realpath(join(folder, path)).catch(() => undefined);
    if (target === undefined || !target.startsWith((await realpath(folder)) + sep))
      return `the tarball does not hold ${path}, the program ${name}`;
    if (!/^[\w][\w.-]*$/.test(name)) return `the program ${name} has a name that cannot be linked`;
    await mkdir(links, { recursive: true });
    await chmod(target, 0o755);
    await symlink(relative(links, join(folder, path)), join(links, name));
  }
  return undefined;
}

/** The folder above a consumer's that holds node_modules: programs would find there what the package lacks. */
export async function modulesAbove(place: string): Promise<string | undefined> {
  for (let at = dirname(place); at !== dirname(at); at = dirname(at)) {
    const names = await readdir(at).catch((): string[] => []);
    if (names.includes('node_modules')) return at;
  }
  return undefined;
}

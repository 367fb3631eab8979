import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckContext } from '../checks/check.ts';
import { runProcess } from '../process.ts';
import { isPackageName, readManifest } from './manifest.ts';

/** Why there is no artefact. `broken` is the fault of the work; `open` means that it could not be told. */
export interface NoArtifact {
  readonly kind: 'broken' | 'open';
  readonly cause: string;
}

export type Means = Pick<CheckContext, 'isolation' | 'signal'> & {
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Packs a folder as `npm publish` would, without running scripts, and answers the tarball's path. A package that is
 * never published may lack name or version: the packing gets stand-ins, written into its package.json.
 */
export async function packWithNpm(folder: string, into: string, means: Means): Promise<string | NoArtifact> {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') return broken(manifest);
  if (manifest.name !== '' && !isPackageName(manifest.name))
    return broken(`package.json has the name ${manifest.name}`);
  if (manifest.name === '' || manifest.version === '') {
    const stand = { name: manifest.name || 'package', version: manifest.version || '0.0.0' };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest.raw, ...stand }));
  }
  await mkdir(into, { recursive: true, mode: 0o700 });
  const argv = ['npm', 'pack', '--ignore-scripts', '--json', '--offline', '--pack-destination', into];
  const ended = await runProcess({
    argv: [...argv, '--workspaces=false', '--no-update-notifier', '--loglevel=error'],
    cwd: folder,
    env: means.env,
    timeoutMs: 120_000,
    maxOutput: 20_000_000,
    signal: means.signal,
    wrap: means.isolation.wrap,
  });
  if (ended.aborted) return open('the run was aborted');
  if (ended.notFound) return open('npm is not installed');
  if (ended.exitCode === null) return open(`npm pack was ended by ${ended.signal}`);
  if (ended.exitCode !== 0) return broken(`npm pack ended with ${ended.exitCode}: ${lastOf(ended.output)}`);
  const name = nameOfTarball(ended.stdout.toString('utf8'));
  return name === undefined ? open('npm pack did not say what it wrote') : join(into, name);
}

function nameOfTarball(said: string): string | undefined {
  try {
    const [first]: unknown[] = JSON.parse(said);
    const name =
      typeof first === 'object' && first !== null && 'filename' in first ? first.filename : undefined;
    return typeof name === 'string' && /^[\w.+-]+\.tgz$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

const lastOf = (output: Buffer) =>
  output.toString('utf8').trim().split('\n').slice(-4).join(' / ').slice(-400);
export const broken = (cause: string): NoArtifact => ({ kind: 'broken', cause });
export const open = (cause: string): NoArtifact => ({ kind: 'open', cause });

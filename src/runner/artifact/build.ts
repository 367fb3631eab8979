import { join } from 'node:path';
import type { CheckContext } from '../checks/check.ts';
import { insideCheckout } from '../checks/inside.ts';
import { removeFolder } from '../remove-folder.ts';
import { type Consumer, makeConsumer } from './consumer.ts';
import { type Installed, installTarball } from './install.ts';
import { readManifest } from './manifest.ts';
import { type NoArtifact, open, packWithNpm } from './pack.ts';

/** How to make an artefact, and how long and how loud its programs may be. */
export interface Recipe {
  /** Of the package, below the checkout; '' is its top. */
  readonly directory: string;
  readonly timeoutMs: number;
  readonly maxOutput: number;
}

export interface Artifact extends Installed {
  readonly consumer: Consumer;
}

/** Packs one side of the run in a tree of its own, and installs it where nothing else is. */
export async function makeArtifact(
  side: 'head' | 'base',
  recipe: Recipe,
  context: Pick<CheckContext, 'trees' | 'isolation' | 'signal'>,
): Promise<Artifact | NoArtifact> {
  const tree = await context.trees.fresh(side, async () => {});
  if ('cause' in tree) return open(tree.cause);
  const folder = insideCheckout(tree.checkout, recipe.directory);
  if (!folder?.stat.isDirectory()) return { kind: 'broken', cause: `there is no folder ${recipe.directory}` };
  const { isolation, signal } = context;
  const means = { isolation, signal, env: tree.env };
  const consumer = await makeConsumer(means, recipe.timeoutMs, recipe.maxOutput);
  const packed = join(consumer.exchange, 'packed');
  const tarball = await packWithNpm(folder.path, packed, means);
  if (typeof tarball !== 'string') return tarball;
  const manifest = await readManifest(folder.path);
  const name = typeof manifest === 'string' ? '' : manifest.name;
  const source = { tree: tree.checkout, directory: recipe.directory, place: consumer.place };
  const installed = await installTarball(tarball, source, name, means);
  await removeFolder(packed);
  return 'kind' in installed ? installed : { ...installed, consumer };
}

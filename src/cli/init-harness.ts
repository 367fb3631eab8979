import type { Opened } from '../engine/composition.ts';
import type { Cli } from './context.ts';
import { agreed, assertKnown, diffOf, enlistPair, harnessChanges, written } from './harness.ts';

interface Options {
  readonly with?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** What `init --with` does beside the store: show, ask, register the two agents, write. */
export interface HarnessPart {
  readonly diff: string;
  readonly agree: () => Promise<void>;
  readonly write: (
    opened: Opened,
  ) => Promise<{ readonly data: { readonly [name: string]: unknown }; readonly lines: readonly string[] }>;
}

/** undefined without `--with`. Throws BAD_INPUT for a coding agent that is not known. */
export async function harnessOf(
  cli: Cli,
  { with: harness, yes }: Options,
  [builder = 'builder', verifier = 'verifier']: readonly string[],
): Promise<HarnessPart | undefined> {
  if (harness === undefined) return undefined;
  assertKnown(harness);
  const pair = { builder, verifier };
  const { changes, shared } = await harnessChanges(cli, pair, 'withOurs');
  const diff = await diffOf(changes);
  return {
    diff,
    agree: async () => {
      if (changes.length > 0)
        await agreed(cli, diff, yes === true, `countersign init --with ${harness} --yes`);
    },
    async write(opened) {
      const agents = await enlistPair(opened, cli.actor, pair);
      await written(cli, changes);
      const paths = changes.map(({ path }) => path);
      return {
        data: { with: harness, changed: paths, agents },
        lines: [
          paths.length === 0 ? `${harness} was told everything already` : `wrote ${paths.join(', ')}`,
          `${builder} builds, ${verifier} has work verified: each by a token of its own on this machine`,
          ...(shared
            ? []
            : [
                'note: these files name the program by its place on this machine; install countersign in the project to share them',
              ]),
          `start ${harness} anew, and look: countersign doctor`,
        ],
      };
    },
  };
}

import { EngineError } from '../../engine/engine-error.ts';
import type { Ports } from '../../engine/ports.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly remote: string;
  readonly folder?: string;
  readonly local?: boolean;
}

export const proofPush: Register = (parent, run) => {
  parent
    .command('push [items...]')
    .description(
      'bring the packs of verified items, all unless named, to the gate of a remote (docs/gated.md)',
    )
    .option('--remote <name>', 'where to; the verified commits come along', 'origin')
    .option('--folder <folder>', 'lay them into a folder that the gate reads, and push nothing')
    .option('--local', 'put them under refs/countersign/proofs here, and push nothing')
    .action((items: readonly string[], options: Options) => run((cli) => push(cli, items, options)));
};

function push(cli: Cli, items: readonly string[], { remote, folder, local }: Options): Promise<ExitCode> {
  return withSession(cli, async ({ ports }) => {
    if (!cli.composition.files.local) ofTheServer(ports, remote, folder);
    const { keepPack, layPack, packsToSend } = await import('../../engine/gated/send-packs.ts');
    const packs = await packsToSend(ports, items);
    const told = packs.map(({ item, ref, commit, tree }) => ({ item, ref, commit, tree }));
    const done = (text: string, more = {}): ExitCode => {
      const lines = [...told.map(({ item, commit }) => `${item} ${commit.slice(0, 12)}`), text];
      printAnswer(cli.output, { data: { packs: told, ...more }, text: lines.join('\n') });
      return EXIT.ok;
    };
    if (packs.length === 0) return done('nothing here passed yet');
    if (folder !== undefined) {
      const paths = packs.map((pack) => layPack(folder, pack));
      return done(`${paths.length} laid into ${folder}`, { paths });
    }
    const { repositoryAround } = await import('../../engine/gated/around.ts');
    const repo = repositoryAround(cli.composition);
    for (const pack of packs) keepPack(repo, pack);
    if (local === true)
      return done(`next: git push ${remote} 'refs/countersign/proofs/*:refs/countersign/proofs/*'`);
    const { pushPapers } = await import('../../engine/gated/around.ts');
    return done(
      pushPapers(
        repo,
        remote,
        told.map(({ ref }) => ref),
        cli.env,
      ),
      { remote },
    );
  });
}

/** Whoever calls a server has it write into no folder, and push to no place but the remotes of its repository. */
function ofTheServer({ workspace }: Ports, remote: string, folder: string | undefined): void {
  if (folder !== undefined)
    throw new EngineError(
      'NOT_SERVED',
      'packs are laid into a folder on the machine of the server',
      'from here: countersign proof push --remote NAME',
    );
  if (!workspace.remotes().includes(remote))
    throw new EngineError(
      'NOT_SERVED',
      `the server's repository has no remote ${remote}`,
      'there: git remote add NAME URL',
    );
}

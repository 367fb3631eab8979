import type { Cli } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { answerJudged } from '../judged-push.ts';
import type { Register } from '../register.ts';
import { keysFrom } from '../trusted.ts';

interface Options {
  readonly base: string;
  readonly head: string;
  readonly branch: string;
  readonly key: readonly string[];
  readonly overrideKey: readonly string[];
  readonly proofs: string;
}

/** The gate in a pipeline. */
export const ci: Register = (program, run) => {
  program
    .command('ci')
    .description(
      'in a pipeline: may this land? judged as a gate would; exit 0, or 3 when not (docs/gated.md)',
    )
    .option('--base <commit>', 'where the branch stands; the default branch unless given', '')
    .option('--head <commit>', 'what is to land: the commit of the merge, where there will be one', 'HEAD')
    .option('--branch <name>', 'where it lands; what the base is called unless given', '')
    .option('--key <pem...>', 'public keys that may sign proof packs', [])
    .option('--override-key <pem...>', 'public keys of people who may let something through', [])
    .option('--proofs <folder>', 'a folder with proof packs, beside refs/countersign/proofs', '')
    .action((options: Options) => run((cli) => judge(cli, options)));
};

async function judge({ composition, output }: Cli, options: Options): Promise<ExitCode> {
  const [{ repositoryAround }, { judgeInPipeline }] = await Promise.all([
    import('../../engine/gated/around.ts'),
    import('../../engine/gated/gate-ci.ts'),
  ]);
  const judged = await judgeInPipeline(repositoryAround(composition), {
    ...options,
    keys: keysFrom(composition.files, options.key),
    people: keysFrom(composition.files, options.overrideKey),
  });
  return answerJudged(output, [judged]);
}

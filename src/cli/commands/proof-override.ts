import type { Cli } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly key: string;
  readonly branch: string;
  readonly base?: string;
  readonly head: string;
  readonly permit: readonly string[];
  readonly reason: string;
}

export const proofOverride: Register = (parent, run) => {
  parent
    .command('override')
    .description(
      'let one push through a gate, as a person with a key that it trusts for that (docs/gated.md)',
    )
    .requiredOption('--key <pem>', 'a private key of your own')
    .requiredOption('--branch <name>', 'the branch that is pushed to, or a whole ref')
    .option('--base <commit>', 'where it stands; origin/BRANCH unless given, none for a new one')
    .option('--head <commit>', 'what is to land', 'HEAD')
    .requiredOption('--permit <code...>', 'what is let go, as the gate named it in brackets')
    .requiredOption('--reason <text>', 'why, for the record')
    .action((options: Options) => run((cli) => override(cli, options)));
};

async function override(cli: Cli, { base, permit: permits, ...options }: Options): Promise<ExitCode> {
  const [{ repositoryAround }, { signOverride }] = await Promise.all([
    import('../../engine/gated/around.ts'),
    import('../../engine/gated/sign-override.ts'),
  ]);
  const at = new Date().toISOString();
  const from = base === 'none' ? '' : (base ?? `origin/${options.branch}`);
  const signed = signOverride(repositoryAround(cli.composition), { ...options, base: from, permits, at });
  const next = `next: git push origin ${signed.ref}:${signed.ref} ${signed.commit}:${signed.branch}`;
  const what = `${signed.branch} from ${signed.old.slice(0, 12)} to ${signed.commit.slice(0, 12)}`;
  printAnswer(cli.output, {
    data: signed,
    text: [`let go of ${permits.join(', ')}: ${what}`, next].join('\n'),
  });
  return EXIT.ok;
}

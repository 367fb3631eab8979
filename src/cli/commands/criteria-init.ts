import type { Cli } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly tier: string;
  readonly name: string;
  readonly print?: boolean;
  readonly force?: boolean;
}

export const criteriaInit: Register = (group, run) => {
  group
    .command('init')
    .description('look at the repository and propose criteria of a tier')
    .option('--tier <tier>', 'light, standard or strict', 'light')
    .option('--name <name>', 'name of the criteria', 'default')
    .option('--print', 'show them, write nothing')
    .option('--force', 'write over a file that is there')
    .action((options: Options) => run((cli) => init(cli, options)));
};

async function init(cli: Cli, options: Options): Promise<ExitCode> {
  const { draftCriteria, writeDraft } = await import('../../engine/criteria-init.ts');
  const { top } = cli.composition.locate();
  const drafted = await draftCriteria(top, options);
  const print = options.print === true;
  if (!print) writeDraft(top, drafted, options.force === true);
  const { path, text, found, notes } = drafted;
  const data = { path, tier: options.tier, found, notes, wrote: !print, text };
  printAnswer(cli.output, { data, text: print ? text : told(path, options, found, notes).join('\n') });
  return EXIT.ok;
}

function told(
  path: string,
  { tier, name }: Options,
  found: readonly string[],
  notes: readonly string[],
): readonly string[] {
  return [
    `wrote ${path}, tier ${tier}: ${found.join(', ')}`,
    ...notes.map((note) => `note: ${note}`),
    'next: look it over, see whether each check can fail, commit it on the default branch, and push it if there is a remote:',
    `  countersign criteria check ${name}`,
    `  git add ${path} && git commit -m "Criteria ${name}"`,
  ];
}

import { EXIT } from '../exit-code.ts';
import { agreed, assertPerson, diffOf, harnessChanges, written } from '../harness.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const uninstall: Register = (program, run) => {
  program
    .command('uninstall')
    .description(
      'take the hooks, servers and agents of init --with out of the project again; the store stays',
    )
    .option('--dry-run', 'show what would change, write nothing')
    .option('--yes', 'write without asking')
    .action(({ dryRun, yes }: Options) =>
      run(async (cli) => {
        // Names of actors stand in what is removed, never in what decides about it.
        const { changes } = await harnessChanges(
          cli,
          { builder: 'builder', verifier: 'verifier' },
          'without',
        );
        const diff = await diffOf(changes);
        const paths = changes.map(({ path }) => path);
        if (changes.length === 0) {
          printAnswer(cli.output, {
            data: { removed: [] },
            text: 'there is nothing of Countersign to take out',
          });
          return EXIT.ok;
        }
        if (dryRun === true) {
          printAnswer(cli.output, { data: { dry_run: true, files: paths, diff }, text: diff });
          return EXIT.ok;
        }
        await assertPerson(cli);
        await agreed(cli, diff, yes === true, 'countersign uninstall --yes');
        await written(cli, changes);
        const text = `taken out of ${paths.join(', ')}; the store, its keys and the criteria stay`;
        printAnswer(cli.output, { data: { removed: paths }, text });
        return EXIT.ok;
      }),
    );
};

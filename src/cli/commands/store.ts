import type { Command } from 'commander';
import { callerOf } from '../../engine/credential.ts';
import { EngineError } from '../../engine/engine-error.ts';
import type { CopyReport } from '../../engine/store-copy.ts';
import type { StoreState } from '../../engine/store-desk.ts';
import type { Cli } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register, Run } from '../register.ts';

/** Where the record is kept: what it is, its form, a copy elsewhere (docs/stores.md). */
export const store: Register = (program, run) => {
  const parent = program.command('store').description('where the record is kept, and how to move it');
  parent
    .command('status')
    .description('the store of this repository, and whether its tables are those of this program')
    .action(() => run(status));
  parent
    .command('migrate')
    .description('bring the tables of a database to the present form; there is no way back')
    .option('--dry-run', 'show what would be done, do nothing')
    .action(({ dryRun }: { dryRun?: boolean }) => run((cli) => migrate(cli, dryRun === true)));
  registerCopy(parent, run);
};

function registerCopy(parent: Command, run: Run): void {
  parent
    .command('copy')
    .description('copy the whole record into an empty store, judged before and after')
    .requiredOption('--to <place>', 'URL of a PostgreSQL database (postgres://…), or sqlite')
    .option('--use', 'from then on the copy is the store of this repository')
    .action((options: { to: string; use?: boolean }) =>
      run((cli) => copy(cli, options.to, options.use === true)),
    );
}

async function status(cli: Cli): Promise<ExitCode> {
  const state = await (await cli.composition.stores()).state();
  printAnswer(cli.output, { data: state, text: stateLines(state).join('\n') });
  return EXIT.ok;
}

function stateLines({ driver, place, repository, applied, pending }: StoreState): readonly string[] {
  return [
    `${place} (${driver})`,
    `repository ${repository}`,
    ...applied.map(({ number, name, appliedAt }) => `migration ${number} of ${appliedAt}: ${name}`),
    ...pending.map(({ number, name }) => `migration ${number} is missing: ${name}`),
    ...(pending.length > 0 ? ['next: countersign store migrate'] : []),
  ];
}

async function migrate(cli: Cli, dryRun: boolean): Promise<ExitCode> {
  const steps = await (await cli.composition.stores()).migrate(dryRun);
  const verb = dryRun ? 'would be taken' : 'was taken';
  const lines = steps.map(({ number, name }) => `migration ${number} ${verb}: ${name}`);
  const text = lines.length > 0 ? lines.join('\n') : 'nothing is to be done: the store has the present form';
  printAnswer(cli.output, { data: { dry_run: dryRun, migrations: steps }, text });
  return EXIT.ok;
}

/** Nothing is written to the store that is copied, not even what other commands note by the way. */
async function copy(cli: Cli, to: string, use: boolean): Promise<ExitCode> {
  const desk = await cli.composition.stores();
  if (use) await desk.assertUnused();
  const opened = await cli.composition.open();
  try {
    const { actor } = await callerOf(opened, cli.actor);
    if (actor.kind !== 'human') {
      const message = `only a person moves the record, ${actor.id} is an agent`;
      throw new EngineError('NO_CREDENTIAL', message, 'ask a person to run it');
    }
    const { copyStore } = await import('../../engine/store-copy.ts');
    const target = await desk.target(to, await opened.ports.store.repositoryId());
    const report = await copyStore(opened, target, use);
    printAnswer(cli.output, { data: report, text: copyLines(report, opened.storePlace).join('\n') });
    return EXIT.ok;
  } finally {
    await opened.ports.store.close();
  }
}

function copyLines(report: CopyReport, before: string): readonly string[] {
  const { events, streams, items, place, digest, used } = report;
  return [
    `${events} events, ${streams} streams, ${items} items copied to ${place}`,
    `both audit clean and hold the same rows: ${digest}`,
    used
      ? `from now on this is the store; the one before stays in ${before}, and nothing reads it`
      : 'the store of this repository is the one before; to change it, copy with --use',
  ];
}

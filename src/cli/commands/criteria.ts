import { adoptCriteria, adoptionOf } from '../../engine/criteria.ts';
import { type Cli, confirmed, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import { criteriaAmend } from './criteria-amend.ts';
import { criteriaCheck } from './criteria-check.ts';
import { criteriaFormat } from './criteria-format.ts';
import { criteriaHealth } from './criteria-health.ts';
import { criteriaInit } from './criteria-init.ts';
import { criteriaWaive } from './criteria-waive.ts';

const COMMIT = [
  '--commit <commit>',
  'commit to read them from; the default branch unless given',
  '',
] as const;

export const criteria: Register = (program, run) => {
  const group = program.command('criteria').description('what decides whether work is done');
  for (const add of COMMANDS) add(group, run);
};

const listCommand: Register = (group, run) => {
  group
    .command('list')
    .description('the criteria that are committed')
    .option(...COMMIT)
    .action(({ commit }: { commit: string }) => run((cli) => list(cli, commit)));
};

const showCommand: Register = (group, run) => {
  group
    .command('show [name]')
    .description('the text of one, with its digest')
    .option(...COMMIT)
    .action((name: string | undefined, { commit }: { commit: string }) =>
      run((cli) => show(cli, name ?? 'default', commit)),
    );
};

const adoptCommand: Register = (group, run) => {
  group
    .command('adopt <name>')
    .description('let a person put criteria in force for work whose base has none, at a terminal')
    .option('--commit <commit>', 'commit to read them from', 'HEAD')
    .action((name: string, { commit }: { commit: string }) => run((cli) => adopt(cli, name, commit)));
};

/** In the order in which help shows them. */
const COMMANDS: readonly Register[] = [
  criteriaInit,
  listCommand,
  showCommand,
  criteriaCheck,
  criteriaFormat,
  criteriaHealth,
  adoptCommand,
  criteriaAmend,
  criteriaWaive,
];

const files = () => import('../../engine/criteria-files.ts');

function list(cli: Cli, at: string): Promise<ExitCode> {
  return withSession(cli, async ({ ports }) => {
    const { criteriaFiles, firstCriteria } = await files();
    const found = await criteriaFiles(ports, at);
    const data = {
      commit: found.commit,
      criteria: found.files.map(({ text: _, ...file }) => file),
    };
    const rows = found.files.map((f) => [
      f.name,
      f.digest.slice(0, 12),
      f.problems.length > 0
        ? `broken: ${f.problems.join('; ')}`
        : f.checks.map((c) => c.id).join(', ') || 'no checks',
    ]);
    const where =
      found.commit === '' ? 'in force: there is no commit yet' : `at ${found.commit.slice(0, 12)}`;
    const none = `no criteria are ${where}; nothing can be verified\nnext: ${firstCriteria(ports)}`;
    printAnswer(cli.output, { data, text: rows.length === 0 ? none : `${columns(rows)}\n${where}` });
    return EXIT.ok;
  });
}

function show(cli: Cli, name: string, at: string): Promise<ExitCode> {
  return withSession(cli, async ({ ports }) => {
    const { commitNamed, criteriaFile } = await files();
    const commit = await commitNamed(ports, at);
    const file = await criteriaFile(ports, name, commit);
    const problems = file.problems.map((problem) => `# broken: ${problem}`);
    const head = [`# ${file.path} at ${commit}`, `# sha256 ${file.digest}`, ...problems];
    printAnswer(cli.output, { data: { ...file, commit }, text: [...head, file.text].join('\n') });
    return EXIT.ok;
  });
}

function adopt(cli: Cli, name: string, at: string): Promise<ExitCode> {
  return withSession(cli, async ({ ports, caller }) => {
    const { commitNamed } = await files();
    const set = adoptionOf(ports, name, await commitNamed(ports, at));
    const person = await confirmed(cli, caller, {
      title: `Adopt the criteria ${name} of commit ${set.commit}`,
      shown: set.text,
      digest: set.digest,
      purpose: `adopt criteria ${name}`,
    });
    await adoptCriteria(ports, person, set);
    const { path, digest, commit } = set;
    const text = `${path} of ${commit.slice(0, 12)} is in force for claims whose base has none (sha256 ${digest})`;
    printAnswer(cli.output, { data: { path, digest, commit }, text });
    return EXIT.ok;
  });
}

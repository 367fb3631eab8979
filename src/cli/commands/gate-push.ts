import { readFileSync } from 'node:fs';
import type { Condition } from '../../engine/condition.ts';
import type { Cli } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { answerJudged } from '../judged-push.ts';
import { printAnswer, printFailure } from '../print.ts';
import type { Register } from '../register.ts';
import { keysFrom } from '../trusted.ts';

interface Options {
  readonly install?: boolean;
  readonly check?: boolean;
  readonly repository: string;
  readonly branch: readonly string[];
  readonly key: readonly string[];
  readonly overrideKey: readonly string[];
  readonly proofs: string;
}

/** The gate at a push: the hook itself, and what puts it in. */
export const gatePush: Register = (program, run) => {
  program
    .command('gate-push')
    .description(
      'the pre-receive hook of a repository that others push to: refuses what is not verified (docs/gated.md)',
    )
    .option('--install', 'write the hook and its settings into the repository')
    .option('--check', 'say whether the hook is armed, after trying it')
    .option('--repository <folder>', 'which; the folder one is in unless given', '.')
    .option('--branch <name...>', 'with --install: protected branches; the one of HEAD unless given', [])
    .option('--key <pem...>', 'with --install: public keys that may sign proof packs', [])
    .option(
      '--override-key <pem...>',
      'with --install: public keys of people who may let something through',
      [],
    )
    .option('--proofs <folder>', 'with --install: a folder of the server with proof packs', '')
    .action((options: Options) =>
      run((cli) => {
        if (options.install === true) return install(cli, options);
        return options.check === true ? check(cli, options) : judge(cli, options);
      }),
    );
};

async function judge({ output, env }: Cli, { repository }: Options): Promise<ExitCode> {
  const { gatePush: judged } = await import('../../engine/gated/gate-push.ts');
  const quarantine = env.GIT_QUARANTINE_PATH ?? '';
  return answerJudged(
    output,
    await judged({ folder: repository, quarantine, lines: readFileSync(0, 'utf8') }),
  );
}

async function install({ output, composition, env }: Cli, options: Options): Promise<ExitCode> {
  const { installGate } = await import('../../engine/gated/install.ts');
  const done = await installGate({
    folder: options.repository,
    branches: options.branch,
    keys: keysFrom(composition.files, options.key),
    people: keysFrom(composition.files, options.overrideKey),
    proofs: options.proofs,
    program: composition.program,
    env,
  });
  const lines = [
    `${done.hook} judges pushes to ${done.branches.join(', ') || 'the branches that the policy names'}`,
    `${done.keys} keys may sign proof packs, ${done.people} may let something through`,
    'next: countersign gate-push --check',
  ];
  printAnswer(output, { data: done, text: lines.join('\n') });
  return EXIT.ok;
}

async function check({ output }: Cli, { repository }: Options): Promise<ExitCode> {
  const { armedAt } = await import('../../engine/gated/armed.ts');
  const found: Condition = await armedAt(repository);
  if (found.status === 'ok') {
    printAnswer(output, { data: { armed: true, ...found }, text: found.says });
    return EXIT.ok;
  }
  const { says: message, next: hint } = found;
  printFailure(output, {
    code: 'gate-closed',
    message,
    hint,
    lines: [],
    details: { armed: false, ...found },
  });
  return EXIT.refused;
}

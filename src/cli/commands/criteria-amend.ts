import type { Amendment } from '../../engine/criteria-amend.ts';
import { type Cli, confirmed, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly item: string;
  readonly from: string;
  readonly reason: string;
}

export const criteriaAmend: Register = (group, run) => {
  group
    .command('amend <name>')
    .description(
      'let a person who did not build an item give it a new version of its criteria, at a terminal',
    )
    .requiredOption('--item <item>', 'the item whose next claim is judged by them')
    .option('--from <commit>', 'commit to read them from; the default branch unless given', '')
    .option('--reason <text>', 'why, for the record', '')
    .action((name: string, options: Options) => run((cli) => amend(cli, name, options)));
};

function amend(cli: Cli, name: string, { item, from, reason }: Options): Promise<ExitCode> {
  return withSession(cli, async ({ ports, caller }) => {
    const { amendCriteria, amendmentOf, assertNoBuilder } = await import('../../engine/criteria-amend.ts');
    const amendment = await amendmentOf(ports, item, name, from);
    await assertNoBuilder(ports, caller, amendment.handle);
    const { display } = amendment.handle;
    const person = await confirmed(cli, caller, {
      title: `Amend the criteria ${name} for ${display}`,
      shown: shown(amendment),
      digest: amendment.digest,
      purpose: `amend criteria ${name} for ${display}`,
    });
    await amendCriteria(ports, person, amendment, reason);
    const { before, after } = amendment;
    const data = { item: display, path: after.path, before: before ?? null, after };
    const text = [
      `${display} is judged by ${after.path} of ${after.commit.slice(0, 12)} from its next claim on`,
      `sha256 ${after.digest}, until now ${before?.digest ?? 'none'}`,
    ];
    printAnswer(cli.output, { data, text: text.join('\n') });
    return EXIT.ok;
  });
}

/** Both versions in full: a person decides on what is read, not on a summary of it. */
function shown({ before, after, texts }: Amendment): string {
  const old = before === undefined ? ['(there were none)'] : [`sha256 ${before.digest}`, '', texts.before];
  return [
    '--- until now',
    ...old,
    '',
    '+++ from the next claim on',
    `sha256 ${after.digest}`,
    '',
    texts.after,
  ].join('\n');
}

import { criteriaPath } from '../../engine/criteria.ts';
import { KINDS, NEW_ITEM } from '../../engine/new-item.ts';
import { openItems } from '../../engine/open.ts';
import type { Ports } from '../../engine/ports.ts';
import { useProof } from '../../engine/proof.ts';
import type { Settings } from '../../engine/settings.ts';
import { todoOf } from '../../engine/todo.ts';
import { givenAcceptance } from '../acceptance.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { note, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly list: string;
  readonly kind: string;
  readonly dependsOn: readonly string[];
  readonly quality?: boolean;
  readonly independence?: string;
  readonly criteria: string;
  readonly acceptance?: string;
  readonly confirm?: boolean;
}

export const add: Register = (program, run) => {
  program
    .command('add <title>')
    .description('add an item')
    .option('--list <name>', 'list it belongs to', 'main')
    .option('--kind <kind>', `one of ${KINDS.join(', ')}`, 'code')
    .option('--depends-on <items...>', 'items that must be verified first', [])
    .option('--criteria <name>', 'name of the criteria file', '')
    .option('--acceptance <file>', 'examples that judge the work; keep the file from whoever builds')
    .option(
      '--confirm',
      'confirm the examples as a person at the terminal: unproven, they count for no grade',
    )
    .option('--quality', 'ask for quality validation before completion')
    .option('--independence <level>', 'least independence of its verification')
    .action((title: string, options: Options) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const settings = settingsOf(options);
          const { list, kind, dependsOn, criteria } = options;
          const given = await givenAcceptance(cli, ports, caller, options);
          const wanted = { title, list, kind, dependsOn, criteria, settings, facts: given.facts };
          const [handle] = await openItems(ports, given.caller, [{ ...NEW_ITEM, ...wanted }], (write) =>
            useProof(write, given.caller.proof),
          );
          if (handle === undefined) return EXIT.internal;
          const doubt = criteria === '' ? '' : await doubtAbout(ports, criteria);
          if (doubt !== '') note(cli.output, `note: ${doubt}`);
          printAnswer(cli.output, {
            data: todoOf(handle),
            text: `${handle.display} added: ${handle.item.title}`,
          });
          return EXIT.ok;
        }),
      ),
    );
};

const settingsOf = ({ quality, independence }: Options): Settings => ({
  ...(quality ? { quality_validation: true } : {}),
  ...(independence === undefined ? {} : { independence }),
});

/** Why the criteria that were named would judge nothing as they stand on the default branch; '' where they can be used. */
async function doubtAbout(ports: Ports, name: string): Promise<string> {
  const path = criteriaPath(name);
  const { head, defaultHead } = ports.git.heads('');
  const commit = defaultHead || head;
  const bytes = commit === '' ? undefined : ports.git.readAt(commit, path);
  if (bytes === undefined) return `there is no ${path} on the default branch yet`;
  // Read only where somebody names criteria: the parser behind it is heavy.
  const { readCriteria } = await import('../../engine/criteria-read.ts');
  const { problems } = await readCriteria(ports, bytes, path);
  if (problems.length === 0) return '';
  return `${path} cannot be used (${problems.slice(0, 5).join('; ')}): mend and commit it before the work is claimed`;
}

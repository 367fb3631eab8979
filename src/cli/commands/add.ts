import { criteriaPath } from '../../engine/criteria.ts';
import { KINDS, NEW_ITEM } from '../../engine/new-item.ts';
import { openItems } from '../../engine/open.ts';
import type { Ports } from '../../engine/ports.ts';
import type { Settings } from '../../engine/settings.ts';
import { todoOf } from '../../engine/todo.ts';
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
}

export const add: Register = (program, run) => {
  program
    .command('add <title>')
    .description('add an item')
    .option('--list <name>', 'list it belongs to', 'main')
    .option('--kind <kind>', `one of ${KINDS.join(', ')}`, 'code')
    .option('--depends-on <items...>', 'items that must be verified first', [])
    .option('--criteria <name>', 'name of the criteria file', '')
    .option('--quality', 'ask for quality validation before completion')
    .option('--independence <level>', 'least independence of its verification')
    .action((title: string, options: Options) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const settings = settingsOf(options);
          const { list, kind, dependsOn, criteria } = options;
          const [handle] = await openItems(ports, caller, [
            { ...NEW_ITEM, title, list, kind, dependsOn, criteria, settings },
          ]);
          if (handle === undefined) return EXIT.internal;
          const missing = criteria !== '' && !hasCriteria(ports, criteria);
          if (missing)
            note(cli.output, `note: there is no ${criteriaPath(criteria)} on the default branch yet`);
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

function hasCriteria({ git }: Ports, name: string): boolean {
  const { head, defaultHead } = git.heads('');
  const commit = defaultHead || head;
  return commit !== '' && git.readAt(commit, criteriaPath(name)) !== undefined;
}

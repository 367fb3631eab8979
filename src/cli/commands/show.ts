import { accountability } from '../../engine/accountability.ts';
import { type Shown, show as showItem } from '../../engine/query.ts';
import { todoOf } from '../../engine/todo.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { nextLines, nextText } from '../guide.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import { accountabilityView, claimsNoChange, hardBlockReport } from '../reports.ts';

export const show: Register = (program, run) => {
  program
    .command('show <item>')
    .description('one item: its state, who did and who confirmed, and what may come next')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const shown = await showItem(ports, caller.actor, ref);
          printAnswer(cli.output, { data: dataOf(shown), text: textOf(shown) });
          return EXIT.ok;
        }),
      ),
    );
};

function dataOf({ handle, options, dependsOn }: Shown) {
  const { item } = handle;
  return {
    ...todoOf(handle),
    uuid: handle.id,
    list: item.list,
    kind: item.kind,
    protocol: item.protocol,
    settings: item.settings,
    depends_on: dependsOn,
    attempt: item.attempt,
    accountability: accountability(handle),
    no_change: claimsNoChange(handle),
    next: nextLines(handle, options),
    options,
  };
}

function textOf({ handle, options, dependsOn }: Shown): string {
  const { item, display } = handle;
  const lines = [
    `${display} ${item.title}`,
    `state ${item.state.toUpperCase()}, list ${item.list}, kind ${item.kind}, attempt ${item.attempt}`,
    ...(dependsOn.length > 0 ? [`depends on ${dependsOn.join(', ')}`] : []),
    ...item.links.map((l) => `${l.kind} ${l.to}`),
    '',
    accountabilityView(handle),
  ];
  if (item.state === 'blocked') lines.push('', hardBlockReport(handle));
  const next = nextText(handle, options);
  if (next.length > 0) lines.push('', ...next);
  return lines.join('\n');
}

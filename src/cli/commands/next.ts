import type { Handle } from '../../engine/handle.ts';
import { type Next, next as nextFor } from '../../engine/next.ts';
import { todoOf } from '../../engine/todo.ts';
import { handOver } from '../../engine/work.ts';
import type { Actor } from '../../kernel/actor.ts';
import { latestEvidence } from '../../kernel/freshness.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { ackLine, commandLine, inWords, nextLines } from '../guide.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import { doneOf, hardBlockReport } from '../reports.ts';

export const next: Register = (program, run) => {
  program
    .command('next')
    .description('what you may do now, what is missing, and the exact command')
    .option('--list <name>', 'only this list')
    .action(({ list }: { list?: string }) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const found = await nextFor(ports, caller.actor, list);
          printAnswer(cli.output, {
            get data() {
              return dataOf(found);
            },
            get text() {
              return textOf(found, caller.actor);
            },
          });
          return EXIT.ok;
        }),
      ),
    );
};

function dataOf({ blocked, suggestions, waiting, progress }: Next) {
  const entry = ({ handle, option, ways }: Next['suggestions'][number]) => ({
    ...todoOf(handle),
    command: commandLine(handle, ways, option),
    commands: nextLines(handle, ways),
    ...(option.command === 'verify' ? { verification: handOver(handle) } : {}),
    missing: option.missing,
  });
  return {
    blocked: blocked.map((handle) => ({
      ...todoOf(handle),
      report: hardBlockReport(handle),
      command: isUnread(handle) ? ackLine(handle.display) : `countersign retry ${handle.display}`,
    })),
    next: suggestions.map(entry),
    waiting: waiting.map(entry),
    progress,
  };
}

function textOf({ blocked, suggestions, waiting, progress }: Next, actor: Actor): string {
  const lines = blocked.flatMap((handle) => [hardBlockReport(handle), '', ...ackNeeded(handle, actor)]);
  for (const { handle, ways } of suggestions) {
    const commands = nextLines(handle, ways).map((line) => `  ${line}`);
    lines.push(`${handle.display} ${handle.item.title} [${handle.item.state}]`, ...commands);
  }
  if (suggestions.length === 0) {
    for (const { handle, option } of waiting.filter(({ handle: { item } }) => item.state !== 'blocked')) {
      const why = option.missing.map((v) => inWords(handle, v.because)).join('; ');
      lines.push(`${handle.display} ${handle.item.title} [${handle.item.state}] waits: ${why}`);
    }
    if (progress.total === progress.done + progress.legacy) lines.push('Nothing is open.');
    else if (!blocked.some(isUnread)) lines.push('Nothing for you to do now.');
  }
  lines.push(doneOf(progress));
  return lines.join('\n');
}

/** The failures are not acknowledged yet. */
const isUnread = ({ item }: Handle) => latestEvidence(item, 'failure-review') === undefined;

function ackNeeded(handle: Handle, { kind, roles }: Actor): readonly string[] {
  if (!isUnread(handle)) return [];
  const delegated = handle.item.settings.acknowledge === 'orchestrator';
  const may = kind === 'human' || (delegated && roles.includes('workflow-orchestrator'));
  return [`${may ? 'next' : 'a person runs'}: ${ackLine(handle.display)}`, ''];
}

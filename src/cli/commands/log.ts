import { originOf, successorTo } from '../../engine/migration.ts';
import { type LogLine, timeline } from '../../engine/query.ts';
import type { Linked, Opened } from '../../kernel/event.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const log: Register = (program, run) => {
  program
    .command('log <item>')
    .description('what happened to an item, and what was refused')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const { lines } = await timeline(ports, ref);
          const rows = lines.map((line) => [line.event.at, line.event.by, wordsFor(line)]);
          const data = lines.map(({ stored, event }) => ({
            stream: stored.stream,
            version: stored.version,
            hash: stored.hash,
            ...event,
          }));
          printAnswer(cli.output, { data, text: columns(rows) });
          return EXIT.ok;
        }),
      ),
    );
};

function wordsFor({ event }: LogLine): string {
  switch (event.type) {
    case 'opened':
      return `opened as ${event.state}${event.legacy ? ' (legacy: imported as done, never verified)' : ''}${cameFrom(event)}`;
    case 'moved':
      return `${event.command || event.reason}: ${event.from} > ${event.to}${event.proof === '' ? '' : ' (confirmed at a terminal)'}`;
    case 'recorded':
      return `${event.kind} ${event.outcome} (asked for by ${event.requestedBy}, ${event.independence})${steps(event.facts.steps)}`;
    case 'noted':
      return `told: ${event.member} is ${event.state || 'no longer waited for'}`;
    case 'elapsed':
      return `${event.percent} % of the time for ${event.state} has passed`;
    case 'linked':
      return `${event.kind} ${event.to}${wentTo(event)}`;
    case 'subject-moved':
      return `${event.subject} changed`;
    case 'refused':
      return `REFUSED ${event.attempted} in ${event.state}: ${event.because}`;
  }
}

function cameFrom(event: Opened): string {
  const from = originOf(event);
  return from === undefined ? '' : ` in the place of ${from.item} (${of(from.protocol)}): ${from.reason}`;
}

function wentTo(event: Linked): string {
  const { from, to, reason = '' } = successorTo({ links: [event] }) ?? {};
  return from === undefined || to === undefined ? '' : ` (${of(from)} > ${of(to)}): ${reason}`;
}

const of = ({ name, version }: { readonly name: string; readonly version: string }) => `${name} ${version}`;

function steps(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return `: ${value.map((s: { step?: string }) => s.step ?? '').join(', ')}`;
}

import { type LogLine, timeline } from '../../engine/query.ts';
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
      return `opened as ${event.state}${event.legacy ? ' (legacy: imported as done, never verified)' : ''}`;
    case 'moved':
      return `${event.command || event.reason}: ${event.from} > ${event.to}${event.proof === '' ? '' : ' (confirmed at a terminal)'}`;
    case 'recorded':
      return `${event.kind} ${event.outcome} (asked for by ${event.requestedBy}, ${event.independence})${steps(event.facts.steps)}`;
    case 'noted':
      return `told: ${event.member} is ${event.state || 'no longer waited for'}`;
    case 'elapsed':
      return `${event.percent} % of the time for ${event.state} has passed`;
    case 'linked':
      return `${event.kind} ${event.to}`;
    case 'subject-moved':
      return `${event.subject} changed`;
    case 'refused':
      return `REFUSED ${event.attempted} in ${event.state}: ${event.because}`;
  }
}

function steps(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return `: ${value.map((s: { step?: string }) => s.step ?? '').join(', ')}`;
}

import { inbox as inboxOf } from '../../engine/inbox.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { linesOf } from '../guide.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const inbox: Register = (program, run) => {
  program
    .command('inbox')
    .description(
      'what you have to be told: rejections, escalations, what is late, and what waits for your roles',
    )
    .action(() =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const messages = await inboxOf(ports, caller.actor);
          const told = messages.map(({ steps, ...message }) => ({
            ...message,
            next: linesOf(steps, cli.output),
          }));
          const lines = told.flatMap(({ text, next }) => [text, ...next.map((line) => `  next: ${line}`)]);
          printAnswer(cli.output, {
            data: { messages: told },
            text: lines.join('\n') || 'Nothing waits for you.',
          });
          return EXIT.ok;
        }),
      ),
    );
};

import { inbox as inboxOf } from '../../engine/inbox.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
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
          const text = messages.map((m) => m.text).join('\n') || 'Nothing waits for you.';
          printAnswer(cli.output, { data: { messages }, text });
          return EXIT.ok;
        }),
      ),
    );
};

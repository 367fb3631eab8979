import { attend } from '../../engine/phases/attend.ts';
import { type Told, tick as tickNow } from '../../engine/tick.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const tick: Register = (program, run) => {
  program
    .command('tick')
    .description(
      'record the allowances that have run out, and settle agents whose process has ended; commands that write do it as well',
    )
    .action(() =>
      run((cli) =>
        withSession(cli, async (session) => {
          const told = await tickNow(session.ports);
          const attended = await attend(session);
          const data = told.map(({ item, title, event, recipient }) => ({
            item,
            title,
            recipient,
            ...event,
          }));
          printAnswer(cli.output, {
            data: { told: data, attended },
            text:
              [...told.map(lineOf), ...attended.map(({ item, what }) => `${item} ${what}`)].join('\n') ||
              'nothing ran out',
          });
          return EXIT.ok;
        }),
      ),
    );
};

/** Each grade says what it asks for; none of them moves anything (LIFE-83 to LIFE-85). */
const lineOf = ({ item, title, event, recipient }: Told): string => {
  const asks = { 80: 'warning', 100: 'look at it', 150: 'consider an intervention' }[event.percent] ?? '';
  const passed = `${event.percent} % of the time for ${event.state} passed at ${event.due}`;
  return `${item} ${title}: ${passed} (${asks}) [${recipient}]`;
};

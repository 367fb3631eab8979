import type { Command } from 'commander';
import { stepOn } from '../../engine/phases/actions.ts';
import { attend } from '../../engine/phases/attend.ts';
import { runNamed } from '../../engine/phases/run-named.ts';
import { STEP } from '../../engine/step.ts';
import { answerRefusal } from '../answer.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Run } from '../register.ts';
import { takeStep } from './move.ts';

/** `agent give-up`: the machine or the folder of a run is gone for good, which only a person can know. */
export function registerGiveUp(agents: Command, run: Run): void {
  agents
    .command('give-up <agent>')
    .description(
      'as a person: an agent or a reviewer ran on a machine, or in a folder, that is gone for good',
    )
    .requiredOption('--reason <text>', 'how you know')
    .action((ref: string, { reason }: { reason: string }) => run((cli) => giveUp(cli, ref, reason)));
}

const giveUp = (cli: Cli, ref: string, reason: string) =>
  withSession(cli, async (session) => {
    await attend(session);
    const { id } = await runNamed(session.ports, ref);
    const request = { ...STEP, ref: id, command: 'give-up', reason };
    const action = { command: 'give-up', reason, arguments: {} };
    const outcome = await takeStep(cli, session, request, (caller, confirms) =>
      stepOn(session, caller, id, action, confirms),
    );
    if (outcome.kind === 'refused') return answerRefusal(cli.output, outcome, 'give-up');
    const { display, item } = outcome.handle;
    printAnswer(cli.output, {
      data: { agent_id: display, status: item.state },
      text: `${display} ${item.state}: what its process says is not heard any more`,
    });
    return EXIT.ok;
  });

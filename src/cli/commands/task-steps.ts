import { taskStep } from '../../engine/staged/task-step.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { nextText } from '../guide.ts';
import { type RegisterTask, sessionOf, withTask } from './task-context.ts';

interface Taken {
  readonly name: string;
  readonly about: string;
  readonly takes: readonly string[];
}

/** The steps of the table that have a word of their own below `task`. */
const STEPS: readonly Taken[] = [
  { name: 'classify', about: 'INIT is done: decide risk and agents', takes: [] },
  { name: 'assess', about: 'name the risk and the agents, with the reason', takes: ['risk', 'agents'] },
  { name: 'gather', about: 'let the agents say what they need', takes: [] },
  { name: 'invoke', about: 'note that an agent is called', takes: ['agent'] },
  { name: 'synthesize', about: 'all reports are there: make one plan', takes: [] },
  { name: 'present-plan', about: 'put the plan before the user', takes: [] },
  { name: 'acknowledge-delegation', about: 'agents build, you coordinate: say that you know', takes: [] },
  { name: 'implement', about: 'the plan is approved: let the agents build', takes: [] },
  { name: 'next-round', about: 'another round of building', takes: [] },
  { name: 'validate', about: 'claim the commit of the task branch', takes: [] },
  { name: 'rework', about: 'back to building after a rejection', takes: [] },
  { name: 'present', about: 'put the reviewed commit before the user', takes: [] },
  { name: 'request-change', about: 'the user asked for changes: back to building at once', takes: [] },
  { name: 'complete', about: 'the user approved the commit', takes: [] },
  { name: 'clean', about: 'it has landed: end the task', takes: [] },
  { name: 'reclassify', about: 'back to the decision on risk and agents', takes: [] },
  { name: 'regather', about: 'back to the requirements', takes: [] },
  { name: 'negotiate', about: 'the scope has to change: let the user decide', takes: [] },
];

export const registerTaskSteps: RegisterTask = (tasks, run, session) => {
  for (const { name, about, takes } of STEPS) {
    const command = tasks.command(`${name} <task>`).description(about).option('--reason <text>', 'why', '');
    for (const argument of takes) command.option(`--${argument} <text>`, `its ${argument}`, '');
    command.action((task: string, options: { readonly [name: string]: string }) =>
      run((cli) =>
        withTask(cli, task, sessionOf(cli, session()), async ({ ports, caller }) => {
          const given = Object.fromEntries(takes.map((argument) => [argument, options[argument] ?? '']));
          const { reason = '' } = options;
          const asked = { task, session: sessionOf(cli, session()), command: name, reason, arguments: given };
          const outcome = await taskStep(ports, caller, asked);
          return answerOutcome(
            cli.output,
            outcome,
            ({ handle, options: ways }) => ({
              data: todoOf(handle),
              text: [`${task} ${name}: ${handle.item.state}`, ...nextText(handle, ways, cli.output)].join(
                '\n',
              ),
            }),
            name,
          );
        }),
      ),
    );
  }
};

import { ANSWERS } from '../../engine/staged/additions.ts';
import { requestOf, taskStep } from '../../engine/staged/task-step.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { takeStep } from './move.ts';
import { type RegisterTask, sessionOf, withTask } from './task-context.ts';

interface Taken {
  readonly name: string;
  readonly about: string;
  readonly takes: readonly string[];
}

const LATE = ['agent', ...Object.keys(ANSWERS), 'risk'];

const TELLS: { readonly [argument: string]: string } = {
  ...ANSWERS,
  risk: 'HIGH, MEDIUM or LOW, as it is seen now',
};

/** The steps of the table that have a word of their own below `task`. */
const STEPS: readonly Taken[] = [
  { name: 'classify', about: 'INIT is done: decide risk and agents', takes: [] },
  { name: 'assess', about: 'name the risk and the agents, with the reason', takes: ['risk', 'agents'] },
  { name: 'document', about: 'begin task.md from the entry of the task', takes: [] },
  { name: 'gather', about: 'let the agents say what they need', takes: [] },
  { name: 'invoke', about: 'note that an agent is called', takes: ['agent'] },
  { name: 'synthesize', about: 'all reports are there: make one plan', takes: [] },
  { name: 'present-plan', about: 'put the plan before the user', takes: [] },
  { name: 'acknowledge-delegation', about: 'agents build, you coordinate: say that you know', takes: [] },
  { name: 'implement', about: 'the plan is approved: let the agents build', takes: [] },
  { name: 'next-round', about: 'another round of building', takes: [] },
  { name: 'validate', about: 'claim the commit of the task branch', takes: [] },
  { name: 'skip-checks', about: 'low risk, and nothing but documents: no checks are run', takes: [] },
  { name: 'rework', about: 'back to building after a rejection', takes: [] },
  { name: 'present', about: 'put the reviewed commit before the user', takes: [] },
  {
    name: 'request-change',
    about: 'the user asked for changes, or it does not land: back to building at once',
    takes: [],
  },
  { name: 'complete', about: 'the user approved the commit', takes: [] },
  { name: 'clean', about: 'it has landed: end the task', takes: [] },
  { name: 'reclassify', about: 'back to the decision on risk and agents', takes: [] },
  { name: 'regather', about: 'back to the requirements', takes: [] },
  { name: 'add-agent', about: 'one more stakeholder, with the reason why it comes late', takes: LATE },
  {
    name: 'add-critical-agent',
    about: 'the same after the building: back to the requirements',
    takes: LATE,
  },
  { name: 'withdraw', about: 'take the claimed commit back: build on', takes: [] },
  { name: 'negotiate', about: 'the scope has to change: let the user decide', takes: [] },
  { name: 'change-scope', about: 'as a person: the scope changes, with a new plan', takes: [] },
  { name: 'keep-scope', about: 'as a person: the scope stays, build on', takes: [] },
  { name: 'defer', about: 'as a person: what is open becomes other tasks, review again', takes: [] },
  { name: 'cancel', about: 'as a person: stop the task, nothing is merged', takes: [] },
];

export const registerTaskSteps: RegisterTask = (tasks, run, session) => {
  for (const { name, about, takes } of STEPS) {
    const command = tasks.command(`${name} <task>`).description(about).option('--reason <text>', 'why', '');
    for (const argument of takes)
      command.option(`--${argument} <text>`, TELLS[argument] ?? `its ${argument}`, '');
    command.action((task: string, options: { readonly [name: string]: string }) =>
      run((cli) =>
        withTask(cli, task, sessionOf(cli, session()), async (opened, cli) => {
          const given = Object.fromEntries(takes.map((argument) => [argument, options[argument] ?? '']));
          const { reason = '' } = options;
          const asked = { task, session: sessionOf(cli, session()), command: name, reason, arguments: given };
          const { ports } = opened;
          const request = await requestOf(ports, asked);
          const outcome = await takeStep(cli, opened, request, (caller, confirms) =>
            taskStep(ports, caller, asked, confirms),
          );
          return answerOutcome(
            cli.output,
            outcome,
            ({ handle }) => ({ data: todoOf(handle), text: `${task} ${name}: ${handle.item.state}` }),
            name,
          );
        }),
      ),
    );
  }
};

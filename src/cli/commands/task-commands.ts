import type { Command } from 'commander';
import { sha256Hex } from '../../attestation/digest.ts';
import type { Caller } from '../../engine/caller.ts';
import { readConfig } from '../../engine/config.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { agentSays } from '../../engine/staged/agent-word.ts';
import { checkTask, type TaskChecked } from '../../engine/staged/feasibility.ts';
import { runGate } from '../../engine/staged/gate.ts';
import { listTasks } from '../../engine/staged/list-tasks.ts';
import { assess } from '../../engine/staged/risk.ts';
import { CHOICES, type Choice } from '../../engine/staged/selection.ts';
import { stagedSettings } from '../../engine/staged/settings.ts';
import { startTask } from '../../engine/staged/start-task.ts';
import { viewTask } from '../../engine/staged/task.ts';
import { makeWorktreesOf } from '../../engine/staged/worktrees.ts';
import { answerOutcome } from '../answer.ts';
import { type Cli, confirmed, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { asTyped, note, printAnswer } from '../print.ts';
import type { Run } from '../register.ts';
import { CARE, portsText, show } from './task-care.ts';
import { namedIn, type RegisterTask, sessionOf, withTask } from './task-context.ts';
import { ENDS } from './task-ends.ts';

const check: RegisterTask = (tasks, run, session) => {
  tasks
    .command('check <task>')
    .description('can it be done without asking, and is it free? Nothing is changed')
    .option('--blocker <text...>', 'something that it needs and is not there', [])
    .option('--choice <text...>', 'a decision that only the user can take', [])
    .action((name: string, { blocker, choice }: { blocker: string[]; choice: string[] }) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const asked = {
            task: name,
            session: sessionOf(cli, session()),
            blockers: blocker,
            choices: choice,
          };
          const found = await checkTask(ports, caller, asked);
          const lines = found.points.map((p) => `${p.passed ? 'pass' : 'FAIL'}  ${p.name}: ${p.because}`);
          const next = nextAfterCheck(cli, asked.session, found);
          printAnswer(cli.output, {
            data: { ...found, next },
            text: [
              ...lines,
              `${found.selection}: ${found.because}`,
              ...found.question,
              ...next.map(({ run: typed }) => `next: ${typed}`),
            ].join('\n'),
          });
          return found.feasible && found.selection !== 'ASK_USER' ? EXIT.ok : EXIT.refused;
        }),
      ),
    );
};

/** What can be done is begun, and for what cannot another task is looked for; a question to a person is theirs. */
function nextAfterCheck(cli: Cli, session: string, { feasible, selection, task }: TaskChecked) {
  if (selection === 'ASK_USER' || selection === 'ERROR') return [];
  const command = feasible ? `start ${task}` : 'list';
  return [{ by: 'you', run: asTyped(cli.output, `countersign task${namedIn(cli, session)} ${command}`) }];
}

const list: RegisterTask = (tasks, run, session) => {
  tasks
    .command('list')
    .description('every task of the list, who has it, and which one to go on with')
    .action(() =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const asked = sessionOf(cli, session());
          const found = await listTasks(ports, asked);
          const lines = found.tasks.map((t) => `${t.selection}  ${t.task}: ${t.because}`);
          const check = asTyped(cli.output, `countersign task${namedIn(cli, asked)} check ${found.next}`);
          const next = found.next === '' ? 'nothing is free' : `next: ${check}`;
          printAnswer(cli.output, { data: found, text: [...lines, next].join('\n') });
          return EXIT.ok;
        }),
      ),
    );
};

interface StartOptions {
  readonly choose?: string;
  readonly criteria: string;
  readonly kind: string;
}

const start: RegisterTask = (tasks, run, session) => {
  tasks
    .command('start <task>')
    .description('take a task up, or go on with one that this session holds')
    .option('--kind <kind>', 'what the work is', 'code')
    .option('--criteria <name>', 'the criteria that judge it', 'default')
    .option(
      '--choose <choice>',
      `for a person, where a worktree is there that nobody holds: ${Object.keys(CHOICES).join(', ')}`,
    )
    .action((name: string, options: StartOptions) =>
      run((cli) => {
        const asked = sessionOf(cli, session());
        return withTask(cli, name, sessionOf(cli, session()), async ({ ports, caller }, cli) => {
          const { choose, kind, criteria } = options;
          const choice = choiceOf(choose);
          const actor = choice === undefined ? caller : await chooses(cli, caller, name, choice);
          const {
            kind: how,
            handle,
            view,
          } = await startTask(ports, actor, { task: name, session: asked, kind, criteria, choice });
          if (handle.item.state === 'REQUIREMENTS' || handle.item.state === 'SYNTHESIS')
            await runGate(ports, caller, { task: name, session: asked, trigger: 'resume' });
          printAnswer(cli.output, {
            data: { task: name, item: handle.display, state: handle.item.state, code: view.layout.code, how },
            text: `${how === 'resumed' ? 'RESUME' : 'LOCK_SUCCESS'} ${name} (${handle.display}): ${handle.item.state}`,
          });
          return EXIT.ok;
        });
      }),
    );
};

/** The person at the terminal who chooses. */
function chooses(cli: Cli, caller: Caller, name: string, choice: Choice): Promise<Caller> {
  const shown = `${name}: ${CHOICES[choice]}`;
  return confirmed(cli, caller, {
    title: shown,
    shown,
    digest: sha256Hex(shown),
    purpose: `choose ${name}`,
  });
}

function choiceOf(choose: string | undefined): Choice | undefined {
  if (choose === undefined) return undefined;
  const known = Object.keys(CHOICES) as readonly Choice[];
  const found = known.find((name) => name === choose);
  if (found !== undefined) return found;
  throw new EngineError('BAD_INPUT', `there is no choice ${choose}`, `known: ${known.join(', ')}`);
}

const risk: RegisterTask = (tasks, run) => {
  tasks
    .command('risk <paths...>')
    .description('the risk of a task that touches these paths, and the agents that go with it')
    .action((paths: string[]) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const found = await assess(ports, stagedSettings(await readConfig(ports)), paths);
          printAnswer(cli.output, {
            data: found,
            text: [`${found.risk}: ${found.agents.join(', ')}`, ...found.reasons].join('\n'),
          });
          return EXIT.ok;
        }),
      ),
    );
};

const worktrees: RegisterTask = (tasks, run, session) => {
  addWorktrees(tasks, run, session, 'worktrees <task>');
};

/** Makes what trees a task lacks and shows what each has; also behind `countersign worktree`. */
export function addWorktrees(
  parent: Command,
  run: Run,
  session: () => string | undefined,
  name: string,
): Command {
  return parent
    .command(name)
    .description('make the worktrees that its agents lack')
    .action((name: string) =>
      run((cli) =>
        withTask(cli, name, sessionOf(cli, session()), async ({ ports, caller }, cli) => {
          const made = await makeWorktreesOf(ports, caller, name);
          const { ports: given } = await viewTask(ports, name, '');
          const first = made.length === 0 ? 'none was lacking' : `made: ${made.join(', ')}`;
          printAnswer(cli.output, {
            data: { made, ports: given },
            text: [first, ...given.map(portsText)].join('\n'),
          });
          return EXIT.ok;
        }),
      ),
    );
}

interface SayOptions {
  readonly reason: string;
  readonly errorType: string;
}

const status: RegisterTask = (tasks, run, session) => {
  tasks
    .command('status <task> <status>')
    .description('as an agent: WORKING, COMPLETE or ERROR; in a review APPROVED or REJECTED')
    .option('--reason <text>', 'what went wrong, or why it is rejected', '')
    .option('--error-type <type>', 'of an ERROR: tool-limitation, blocker or implementation-error', '')
    .action((name: string, said: string, { reason, errorType }: SayOptions) =>
      run((cli) =>
        withTask(cli, name, sessionOf(cli, session()), async ({ ports, caller }, cli) => {
          const outcome = await agentSays(ports, caller, { task: name, status: said, reason, errorType });
          for (const warning of outcome.warnings) note(cli.output, `note: ${warning}`);
          return answerOutcome(
            cli.output,
            outcome,
            ({ handle }) => ({
              data: { task: name, state: handle.item.state, status: said },
              text: `${name}: ${caller.actor.id} is ${said}`,
            }),
            'status',
          );
        }),
      ),
    );
};

/** In the order of a task's way. */
export const TASK_COMMANDS: readonly RegisterTask[] = [
  list,
  check,
  start,
  show,
  risk,
  worktrees,
  status,
  ...CARE,
  ...ENDS,
];

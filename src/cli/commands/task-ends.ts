import type { Command } from 'commander';
import { approveTask, presented } from '../../engine/staged/checkpoint.ts';
import { cleanTask } from '../../engine/staged/cleanup.ts';
import { type GatePoint, type GateView, runGate } from '../../engine/staged/gate.ts';
import { landTask } from '../../engine/staged/land.ts';
import { NAMED_TRIGGERS, oneOf } from '../../engine/staged/looks.ts';
import { type Merged, mergeAgent } from '../../engine/staged/merge.ts';
import { shellWord } from '../../kernel/single-quoted.ts';
import { answerOutcome } from '../answer.ts';
import { type Cli, confirmed, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { asTyped, note, printAnswer } from '../print.ts';
import type { Run } from '../register.ts';
import { beside, namedIn, type RegisterTask, sessionOf, withTask } from './task-context.ts';

const merge: RegisterTask = (tasks, run, session) => {
  tasks
    .command('merge <task> <agent>')
    .description(
      "bring an agent's branch into the branch of the task; main: the main branch, as it is by now",
    )
    .action((name: string, agent: string) =>
      run((cli) =>
        withTask(cli, name, sessionOf(cli, session()), async ({ ports, caller }, cli) => {
          const asked = { task: name, agent, session: sessionOf(cli, session()) };
          const merged = await mergeAgent(ports, caller, asked);
          return answerMerge(cli, merged, `${agent} is merged into ${name}`);
        }),
      ),
    );
};

function answerMerge(cli: Cli, merged: Merged, well: string): ExitCode {
  const { conflicts, fix, head } = merged;
  printAnswer(cli.output, {
    data: merged,
    text:
      conflicts.length === 0
        ? `${well}: ${head.slice(0, 12)}`
        : `nothing was merged: conflicts in ${conflicts.join(', ')}\nto mend it: ${fix}`,
  });
  return conflicts.length === 0 ? EXIT.ok : EXIT.conflict;
}

const land: RegisterTask = (tasks, run, session) => {
  tasks
    .command('land <task>')
    .description('bring an approved task to the main worktree as one commit')
    .action((name: string) =>
      run((cli) =>
        withTask(cli, name, sessionOf(cli, session()), async ({ ports, caller }, cli) =>
          answerMerge(
            cli,
            await landTask(ports, caller, {
              task: name,
              session: sessionOf(cli, session()),
              signal: cli.signal,
              onProgress: (line) => note(cli.output, line),
            }),
            `${name} landed`,
          ),
        ),
      ),
    );
};

const clean: RegisterTask = (tasks, run, session) => {
  tasks
    .command('tidy <task>')
    .description('after its end: keep its papers, remove its worktrees, give the task back')
    .action((name: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const asked = sessionOf(cli, session());
          const done = await cleanTask(ports, caller, { task: name, session: asked });
          printAnswer(cli.output, {
            data: done,
            text: [
              `kept: ${done.archive.join(', ')}`,
              `removed: ${done.removed.join(', ') || 'nothing was left'}`,
              ...(done.left.length === 0 ? [] : [`left, since it landed nowhere: ${done.left.join(', ')}`]),
              `next: cd ${shellWord(ports.workspace.main)}; then ${asTyped(cli.output, `countersign task${namedIn(cli, asked)} list`)}`,
            ].join('\n'),
          });
          return EXIT.ok;
        }),
      ),
    );
};

const approve: RegisterTask = (tasks, run, session) => {
  tasks
    .command('approve <task>')
    .description('as a person at a terminal: approve what is shown')
    .action((name: string) => run((cli) => approveNamed(cli, name, sessionOf(cli, session()))));
};

/** What of a task is before a person, by the task's name; also behind `countersign approve`. */
export const approveNamed = (cli: Cli, name: string, session: string): Promise<ExitCode> =>
  withTask(cli, name, session, async ({ ports, caller }, cli) => {
    const shown = await presented(ports, name);
    const actor =
      caller.actor.kind === 'human'
        ? await confirmed(cli, caller, {
            title: `Approve ${shown.kind === 'checkpoint' ? 'the commit' : 'the plan'} of ${name}`,
            shown: shown.lines.join('\n'),
            digest: shown.digest,
            purpose: `${shown.kind} ${name}/${shown.subject}`,
          })
        : caller;
    const outcome = await approveTask(ports, actor, name, shown);
    const data = { task: name, type: shown.type, subject: shown.subject };
    return answerOutcome(
      cli.output,
      outcome,
      () => ({ data, text: `${name}: ${shown.type} approved` }),
      'approve',
    );
  });

/** Judges a gate and prints its points; also behind `countersign gate`. */
export function addGate(parent: Command, run: Run, session: () => string | undefined): Command {
  return parent
    .command('gate <task> [command]')
    .description('every point of the gate that leads on, judged and not acted on')
    .option('--stop-at-first', 'end at the first point that fails, as the scripts of the hooks folder do')
    .option('--trigger <trigger>', `why it is judged: ${NAMED_TRIGGERS.join(', ')}`, 'by-hand')
    .action(
      (name: string, command: string | undefined, options: { stopAtFirst?: boolean; trigger: string }) =>
        run((cli) =>
          beside(cli, name, async ({ ports, caller }) => {
            const asked = {
              task: name,
              session: sessionOf(cli, session()),
              trigger: oneOf(NAMED_TRIGGERS, options.trigger, 'trigger'),
              ...(command === undefined ? {} : { command }),
            };
            const view = await runGate(ports, caller, asked);
            printAnswer(cli.output, { data: view, text: gateText(view, options.stopAtFirst === true) });
            for (const warning of view.warnings) note(cli.output, `note: ${warning}`);
            return view.open ? EXIT.ok : EXIT.internal;
          }),
        ),
    );
}

const gate: RegisterTask = (tasks, run, session) => {
  addGate(tasks, run, session);
};

function gateText({ points, open }: GateView, stops: boolean): string {
  const first = points.findIndex(({ passed }) => !passed);
  const told = stops && first >= 0 ? points.slice(0, first + 1) : points;
  const end = open
    ? `ALL ${points.length} CHECKS PASSED`
    : 'do not go on: mend what failed, and run the gate again';
  return [...told.flatMap((point) => pointLines(point, points.length)), end].join('\n');
}

function pointLines(point: GatePoint, of: number): readonly string[] {
  const { n, passed, name, because, fix } = point;
  const line = `[${n}/${of}] ${passed ? 'PASSED' : 'FAILED'} ${name}: ${because}`;
  if (passed) return [line];
  return [line, `      ${fix}${point.class === '' ? '' : ` (${point.class})`}`];
}

export const ENDS: readonly RegisterTask[] = [gate, merge, approve, land, clean];

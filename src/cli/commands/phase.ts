import type { Command } from 'commander';
import { loadById } from '../../engine/handle.ts';
import {
  abortReview,
  type GivenVerdict,
  giveVerdict,
  phaseStep,
  reviewNamed,
} from '../../engine/phases/actions.ts';
import { attend } from '../../engine/phases/attend.ts';
import { isBeyondCap } from '../../engine/phases/caps.ts';
import { deployAgent } from '../../engine/phases/deploy.ts';
import { handoverFor } from '../../engine/phases/handover.ts';
import { lastLinked } from '../../engine/phases/links.ts';
import { planPhases } from '../../engine/phases/plan.ts';
import { roundOf } from '../../engine/phases/rounds.ts';
import { phaseStatus, reviewDetails } from '../../engine/phases/status.ts';
import { phaseNamed, phasesOf } from '../../engine/phases/task-phases.ts';
import type { StepOutcome } from '../../engine/step.ts';
import { STEP } from '../../engine/step.ts';
import { answerRefusal } from '../answer.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { reviewText, statusText } from '../phase-text.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register, Run } from '../register.ts';
import { takeStep } from './move.ts';
import { registerCancel } from './phase-cancel.ts';
import { textFrom } from './text-from.ts';

interface StepWords {
  readonly name: string;
  readonly command: string;
  readonly about: string;
  /** Options of the step, by the argument that each fills. */
  readonly takes: { readonly [argument: string]: string };
}

const WHY = { reason: 'why' };

/** Steps of a phase that have a word of their own. */
const STEPS: readonly StepWords[] = [
  {
    name: 'submit',
    command: 'submit',
    about: 'put the phase before reviewers; by itself when its agents are done',
    takes: {},
  },
  { name: 'advance', command: 'advance', about: 'the phase is approved: begin the next', takes: {} },
  {
    name: 'trigger',
    command: 'trigger',
    about: 'new reviewers, after a rejection or a dead review',
    takes: {},
  },
  { name: 'escalate', command: 'escalate', about: 'a cap is used up: put it before a person', takes: WHY },
  {
    name: 'fixes-applied',
    command: 'fixes-applied',
    about: 'what was found is mended without agents',
    takes: { fixed: '"F-5-1: HOW; F-6-1: HOW"' },
  },
  { name: 'reject', command: 'reject', about: 'always refused: only reviewers reject', takes: {} },
];

export const phase: Register = (program, run) => {
  const phases = program
    .command('phase')
    .description('tasks in phases, that agents build and reviewers release');
  registerWork(phases, run);
  registerSteps(phases, run);
  registerLooks(phases, run);
};

function registerWork(phases: Command, run: Run): void {
  phases
    .command('plan <title>')
    .description('make a task of phases, and begin the first')
    .requiredOption(
      '--phase <name...>',
      'its phases in their order, each as NAME or NAME=WHAT IT HAS TO COME TO',
    )
    .option('--list <name>', 'list it belongs to', 'main')
    .option('--part-of <task>', 'the task that is built in these phases, which waits for them', '')
    .option('--from <commit>', 'commit that the work begins from; the default branch unless given', '')
    .action((title: string, options: PlanOptions) => run((cli) => plan(cli, title, options)));
  phases
    .command('status <phase>')
    .description('where a phase, or the present one of a task, stands, and what to do next')
    .action((ref: string) => run((cli) => inPhases(cli, (session) => tellStatus(cli, session, ref))));
  phases
    .command('list <task>')
    .description('the phases of a task')
    .action((ref: string) => run((cli) => inPhases(cli, (session) => list(cli, session, ref))));
  phases
    .command('deploy <phase>')
    .description('start an agent that builds in the phase')
    .option('--prompt <text>', 'what it is to do')
    .option('--prompt-file <path>', 'the same from a file, - for standard input')
    .option('--agent <name>', 'an agent of the configuration', '')
    .action((ref: string, options: DeployOptions) => run((cli) => deploy(cli, ref, options)));
}

function registerSteps(phases: Command, run: Run): void {
  for (const words of STEPS) {
    const command = phases.command(`${words.name} <phase>`).description(words.about);
    for (const [argument, tells] of Object.entries(words.takes))
      command.requiredOption(`--${argument} <text>`, tells);
    command.action((ref: string, options: { readonly [name: string]: string }) =>
      run((cli) => takeWords(cli, ref, words.command, options)),
    );
  }
  phases
    .command('approve <phase>')
    .description('as a person: approve an escalated phase without a verdict of reviewers')
    .option('--force', 'say that it is against the rule')
    .requiredOption('--reason <text>', 'why')
    .action((ref: string, { force, reason }: { force?: boolean; reason: string }) =>
      run((cli) => takeWords(cli, ref, 'force-approve', { reason, ...(force ? { force: 'yes' } : {}) })),
    );
  registerCancel(phases, run);
  phases
    .command('abort <phase>')
    .description('give up its review, where those who are missing do not answer')
    .requiredOption('--reason <text>', 'why')
    .action((ref: string, { reason }: { reason: string }) =>
      run((cli) =>
        inPhases(cli, async (session) => {
          const outcome = await abortReview(session, session.caller, ref, reason);
          return answer(cli, session, ref, outcome, 'abort');
        }),
      ),
    );
}

function registerLooks(phases: Command, run: Run): void {
  phases
    .command('handover <phase>')
    .description('what an approved phase leaves to the next')
    .action((ref: string) =>
      run((cli) =>
        inPhases(cli, async ({ ports, caller }) => {
          const text = await handoverFor(ports, caller, ref);
          printAnswer(cli.output, { data: { handover: text }, text });
          return EXIT.ok;
        }),
      ),
    );
  phases
    .command('review <review>')
    .description('a review, or the last one of a phase: reviewers, verdicts, findings')
    .action((ref: string) => run((cli) => showReview(cli, ref)));
  phases
    .command('verdict <review> <verdict>')
    .description('as a reviewer of it: approve, request_changes or reject, once')
    .option('--findings <path>', 'what was found, as JSON in a file, - for standard input')
    .option('--summary <text>', 'in one paragraph', '')
    .action((review: string, verdict: string, options: { findings?: string; summary: string }) =>
      run((cli) => tellVerdict(cli, { review, verdict, ...options })),
    );
}

/** Shows a review, or the last one of a phase. */
export const showReview = (cli: Cli, ref: string): Promise<ExitCode> =>
  inPhases(cli, async (session) => {
    const review = await reviewNamed(session, ref);
    const of = await loadById(session.ports, lastLinked(review, 'phase'));
    const data = reviewDetails(await roundOf(session.ports, review.id), of.display);
    printAnswer(cli.output, { data, text: reviewText(data) });
    return EXIT.ok;
  });

interface PlanOptions {
  readonly phase: readonly string[];
  readonly list: string;
  readonly from: string;
  readonly partOf: string;
}

interface DeployOptions {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly agent: string;
}

/** Does something with phases, after what is true by now was brought on. */
const inPhases = (cli: Cli, work: (session: Session) => Promise<ExitCode>) =>
  withSession(cli, async (session) => {
    await attend(session);
    return work(session);
  });

const plan = (cli: Cli, title: string, options: PlanOptions) =>
  withSession(cli, async ({ ports, caller }) => {
    const phases = options.phase.map((one) => {
      const at = one.indexOf('=');
      return at < 0 ? { name: one, criteria: '' } : { name: one.slice(0, at), criteria: one.slice(at + 1) };
    });
    const planned = await planPhases(ports, caller, {
      title,
      phases,
      list: options.list,
      from: options.from,
      partOf: options.partOf,
    });
    const ids = planned.phases.map(({ display }) => display);
    const [first] = planned.phases;
    printAnswer(cli.output, {
      data: { task_id: planned.task.display, phases: ids },
      text: [
        `${planned.task.display} ${title}: ${ids.length} ${ids.length === 1 ? 'phase' : 'phases'}, ${ids[0]} is active`,
        ...planned.phases.map(({ display, item }) => `${display} ${item.title} [${item.state}]`),
        `next: countersign phase deploy ${first?.display} --prompt "WHAT IT IS TO DO"`,
      ].join('\n'),
    });
    return EXIT.ok;
  });

async function list(cli: Cli, { ports }: Session, ref: string): Promise<ExitCode> {
  const phase = await phaseNamed(ports, ref);
  const all = await phasesOf(ports, await loadById(ports, lastLinked(phase, 'task')));
  const data = await Promise.all(all.map(({ id }) => phaseStatus(ports, id)));
  const rows = data.map(({ phase_id, name, guidance }) => [phase_id, guidance.status, name]);
  printAnswer(cli.output, { data, text: columns(rows) });
  return EXIT.ok;
}

async function tellStatus(cli: Cli, { ports, caller }: Session, ref: string): Promise<ExitCode> {
  const status = await phaseStatus(ports, ref, caller.actor);
  printAnswer(cli.output, { data: { success: true, ...status }, text: statusText(status) });
  return EXIT.ok;
}

const deploy = (cli: Cli, phase: string, { prompt, promptFile, agent }: DeployOptions) =>
  inPhases(cli, async (session) => {
    const text = promptFile === undefined ? (prompt ?? '') : textFrom(cli.composition.files, promptFile);
    const { outcome, run } = await deployAgent(session, session.caller, { phase, prompt: text, agent });
    if (outcome.kind === 'refused') return answerRefusal(cli.output, outcome, 'deploy');
    const told = {
      agent_id: run?.display ?? '',
      status: run?.item.state ?? '',
      ...(await phaseStatus(session.ports, phase)),
    };
    const failed = run?.item.state === 'failed' ? `: ${run.item.steps.at(-1)?.reason}` : '';
    printAnswer(cli.output, {
      data: { success: failed === '', ...told },
      text: [
        `${told.agent_id} ${told.status}${failed}`,
        `watch it: countersign agent watch ${told.agent_id}`,
        statusText(told),
      ].join('\n'),
    });
    return run?.item.state === 'failed' ? EXIT.unavailable : EXIT.ok;
  });

/** One step of a phase, asked of a person at the terminal where only a person may take it. */
const takeWords = (cli: Cli, ref: string, command: string, options: { readonly [name: string]: string }) =>
  inPhases(cli, async (session) => {
    const phase = await phaseNamed(session.ports, ref);
    const { id } = phase;
    const { reason = '', ...given } = options;
    const request = { ...STEP, ref: id, command, reason, arguments: given };
    const take: Parameters<typeof takeStep>[3] = (caller, confirms) =>
      phaseStep(session, caller, id, { command, reason, arguments: given }, confirms);
    const beyond = await isBeyondCap(session.ports, phase, command);
    const outcome = await takeStep(cli, session, request, take, beyond);
    return answer(cli, session, ref, outcome, command);
  });

const tellVerdict = (
  cli: Cli,
  { review, verdict, findings, summary }: Omit<GivenVerdict, 'findings'> & { findings?: string },
) =>
  inPhases(cli, async (session) => {
    const text = findings === undefined ? '' : textFrom(cli.composition.files, findings);
    const outcome = await giveVerdict(session, session.caller, { review, verdict, findings: text, summary });
    if (outcome.kind === 'refused') return answerRefusal(cli.output, outcome, 'verdict');
    const { display, item } = outcome.handle;
    printAnswer(cli.output, {
      data: {
        success: true,
        reviewer_id: display,
        verdict: item.state,
        findings: item.steps.at(-1)?.facts.findings ?? [],
      },
      text: `${display} ${item.state}: your verdict is given, and cannot be taken back`,
    });
    return EXIT.ok;
  });

async function answer(
  cli: Cli,
  session: Session,
  ref: string,
  outcome: StepOutcome,
  command: string,
): Promise<ExitCode> {
  if (outcome.kind === 'refused') return answerRefusal(cli.output, outcome, command);
  return tellStatus(cli, session, ref);
}

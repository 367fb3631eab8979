import { commandLine } from '../../engine/command-line.ts';
import { gateOf } from '../../engine/gates.ts';
import type { Handle } from '../../engine/handle.ts';
import { verdictsInWords } from '../../engine/in-words.ts';
import { messagesOf } from '../../engine/inbox.ts';
import { type Next, next as nextFor, unseenLine, waitsLine } from '../../engine/next.ts';
import { doneOf, hardBlockReport } from '../../engine/reports.ts';
import { taskNameOf } from '../../engine/staged/task-name.ts';
import { ackStep, type Step, stepOf } from '../../engine/steps.ts';
import { todoOf } from '../../engine/todo.ts';
import { handOver } from '../../engine/work.ts';
import type { Actor } from '../../kernel/actor.ts';
import { latestEvidence } from '../../kernel/freshness.ts';
import type { Option } from '../../kernel/guidance.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { ackLine, nextLines } from '../guide.ts';
import { asTyped, type Output, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import type { WayLine } from '../task-way.ts';

export const next: Register = (program, run) => {
  program
    .command('next')
    .description('what you may do now, what is missing, and the exact command')
    .option('--list <name>', 'only this list')
    .action(({ list }: { list?: string }) =>
      run((cli) =>
        withSession(cli, async (session) => {
          const { ports, caller } = session;
          const found = await nextFor(ports, caller.actor, list);
          const leads: Leads = new Map();
          // A task in stages goes its way by more than its table.
          for (const { handle } of found.suggestions) {
            const lines = await waysOfTask(cli, session, taskNameOf(handle));
            if (lines.length > 0) leads.set(handle.id, lines);
          }
          printAnswer(cli.output, {
            get data() {
              return dataOf(found, leads, caller.actor, cli.output);
            },
            get text() {
              return textOf(found, leads, caller.actor, cli.output);
            },
          });
          return EXIT.ok;
        }),
      ),
    );
};

/** Most lists hold no task in stages: what leads it on is loaded for those that do. */
async function waysOfTask(cli: Cli, session: Session, task: string): Promise<readonly WayLine[]> {
  if (task === '') return [];
  const { wayLines } = await import('../task-way.ts');
  return (await wayLines(cli, session, task)) ?? [];
}

/** The lines that lead a task in stages on, by its item. */
type Leads = Map<string, readonly WayLine[]>;

const linesOn = (handle: Handle, ways: readonly Option[], leads: Leads, output: Output): readonly string[] =>
  leads.get(handle.id)?.map(({ line }) => line) ?? nextLines(handle, ways, output);

function dataOf(
  { blocked, suggestions, waiting, elsewhere, unseen, progress }: Next,
  leads: Leads,
  actor: Actor,
  output: Output,
) {
  const entry = ({ handle, option, ways }: Next['suggestions'][number]) => ({
    ...todoOf(handle),
    command: leads.get(handle.id)?.[0]?.run ?? asTyped(output, exactLine(stepOf(handle, ways, option))),
    commands: linesOn(handle, ways, leads, output),
    ...(gateOf(handle)?.pass === option.command ? { verification: handOver(handle) } : {}),
    missing: verdictsInWords(handle, option.missing),
  });
  return {
    blocked: blocked.map((handle) => ({
      ...todoOf(handle),
      report: hardBlockReport(handle),
      command: wayOut(handle, actor, output),
    })),
    next: suggestions.map(entry),
    waiting: waiting.map(entry),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
    ...(unseen.length === 0 ? {} : { unseen }),
    progress,
  };
}

function textOf(
  { blocked, suggestions, waiting, elsewhere, unseen, progress }: Next,
  leads: Leads,
  actor: Actor,
  output: Output,
): string {
  const lines = blocked.flatMap((handle) => [
    hardBlockReport(handle),
    '',
    ...ackNeeded(handle, actor, output),
  ]);
  for (const { handle, ways } of suggestions) {
    const commands = linesOn(handle, ways, leads, output).map((line) => `  ${line}`);
    const said = messagesOf(handle).filter(({ to }) => to === actor.id || actor.roles.includes(to));
    lines.push(`${handle.display} ${handle.item.title} [${handle.item.state}]`);
    lines.push(...said.map(({ text }) => `  ${text}`), ...commands);
  }
  if (suggestions.length === 0) {
    lines.push(...waiting.filter(({ handle: { item } }) => item.state !== 'blocked').map(waitsLine));
    if (progress.total === progress.done + progress.legacy) lines.push('Nothing is open.');
    else if (unseen.length > 0) lines.push(...unseen.map(unseenLine));
    else if (!blocked.some(isUnread) && elsewhere.length === 0) lines.push('Nothing for you to do now.');
  }
  lines.push(...elsewhere, doneOf(progress));
  return lines.join('\n');
}

const exactLine = (step: Step): string => `${commandLine(step)}${step.person ? ' --confirm' : ''}`;

/** The failures are not acknowledged yet. */
const isUnread = ({ item }: Handle) => latestEvidence(item, 'failure-review') === undefined;

function ackNeeded(handle: Handle, actor: Actor, output: Output): readonly string[] {
  if (!isUnread(handle)) return [];
  const roles = ackStep(handle)
    .roles.map((role) => ` or the ${role}`)
    .join('');
  const who = mayAck(handle, actor) ? 'next' : `a person${roles} runs`;
  return [`${who}: ${wayOut(handle, actor, output)}`, ''];
}

/** The next step out of a block, the caller's own or not. */
function wayOut(handle: Handle, actor: Actor, output: Output): string {
  if (!isUnread(handle)) {
    const retry = `countersign retry ${handle.display}`;
    return actor.roles.includes('workflow-orchestrator') ? asTyped(output, retry) : retry;
  }
  const line = ackLine(handle.display);
  return mayAck(handle, actor) ? asTyped(output, line) : line;
}

function mayAck({ item }: Handle, { kind, roles }: Actor): boolean {
  const delegated = item.settings.acknowledge === 'orchestrator';
  return kind === 'human' || (delegated && roles.includes('workflow-orchestrator'));
}

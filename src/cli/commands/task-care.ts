import { auditTask, type TaskAudit } from '../../engine/staged/audit-task.ts';
import { escalateAgent, interruptTask, resumeTask } from '../../engine/staged/interruption.ts';
import { INTERRUPTIONS, type Looked, oneOf } from '../../engine/staged/looks.ts';
import type { Recovery } from '../../engine/staged/recovery.ts';
import { showTask, type TaskShown } from '../../engine/staged/show-task.ts';
import { type ToolCalls, toolCallsOf } from '../../engine/staged/tool-calls.ts';
import type { TreePorts } from '../../engine/staged/tree-ports.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import { beside, type RegisterTask, sessionOf, withTask } from './task-context.ts';

export const show: RegisterTask = (tasks, run, session) => {
  tasks
    .command('show <task>')
    .description('state, agents, reports, and how to go on')
    .action((name: string) =>
      run((cli) =>
        withTask(cli, name, sessionOf(cli, session()), async ({ ports }, cli) => {
          const found = await showTask(ports, name, sessionOf(cli, session()));
          printAnswer(cli.output, { data: found, text: shownText(found) });
          return found.broken.length === 0 ? EXIT.ok : EXIT.refused;
        }),
      ),
    );
};

/** What is broken stands before anything else (PROTO-164). */
function shownText(found: TaskShown): string {
  const { resume, agents } = found;
  const complete = agents.filter((agent) => agent.complete).length;
  return [
    ...found.broken.map((path) => `MISSING worktree ${path}`),
    `${found.task} (${found.item}): ${found.state}`,
    found.session === ''
      ? 'held by nobody'
      : `held by session ${found.session} (${found.heldBy}, last seen ${found.beat})`,
    `worktree ${found.code}`,
    `${complete}/${agents.length} complete`,
    ...agents.map(({ agent, because }) => `  ${agent}: ${because}`),
    ...found.ports.map(portsText),
    found.reports.length === 0 ? 'no reports yet' : `reports: ${found.reports.join(', ')}`,
    ...(resume === undefined
      ? []
      : [`${resume.decision}${resume.agents.length === 0 ? '' : `: ${resume.agents.join(', ')}`}`]),
    ...recoveryLines(found.recovery),
  ].join('\n');
}

/** A tree with its ports, the task's own by the folder that it is. */
export const portsText = ({ agent, first, last, scratch }: TreePorts): string =>
  `ports ${first}-${last}, scratch ${scratch}: ${agent || 'the worktree of the task'}`;

function recoveryLines(recovery: Recovery | undefined): readonly string[] {
  if (recovery === undefined || recovery.action === 'none') return [];
  const { action, because, directives } = recovery;
  const open = directives.filter((one) => one.action !== 'none');
  return [
    `${action}: ${because}`,
    ...open.map((one) => `  ${one.agent}: ${one.action}${scopeOf(one.action, one.scope)} (${one.because})`),
  ];
}

const scopeOf = (action: string, scope: string) => (action === 'invoke' ? ` with ${scope} scope` : '');

const pointText = ({ name, passed, because }: Looked) => `${passed ? 'pass' : 'FAIL'}  ${name}: ${because}`;

const interrupt: RegisterTask = (tasks, run, session) => {
  tasks
    .command('interrupt <task>')
    .description('something comes between the calls of agents: note it, and serve it first')
    .requiredOption('--kind <kind>', INTERRUPTIONS.join(', '))
    .option('--reason <text>', 'what it is', '')
    .action((name: string, { kind, reason }: { kind: string; reason: string }) =>
      run((cli) =>
        beside(cli, name, async ({ ports, caller }) => {
          const asked = { task: name, session: sessionOf(cli, session()), reason };
          const known = oneOf(INTERRUPTIONS, kind, 'kind of interruption');
          const points = await interruptTask(ports, caller, { ...asked, kind: known });
          printAnswer(cli.output, {
            data: { task: name, kind, points },
            text: [...points.map(pointText), `when it is served: countersign task recover ${name}`].join(
              '\n',
            ),
          });
          return EXIT.ok;
        }),
      ),
    );
};

const recover: RegisterTask = (tasks, run, session) => {
  tasks
    .command('recover <task>')
    .description('go on after an interruption, or with agents that are not complete: what to do about each')
    .action((name: string) =>
      run((cli) =>
        withTask(cli, name, sessionOf(cli, session()), async ({ ports, caller }, cli) => {
          const asked = { task: name, session: sessionOf(cli, session()) };
          const { points, shown } = await resumeTask(ports, caller, asked);
          printAnswer(cli.output, {
            data: { ...shown, points },
            text: [...points.map(pointText), shownText(shown)].join('\n'),
          });
          return points.every(({ passed }) => passed) ? EXIT.ok : EXIT.refused;
        }),
      ),
    );
};

const escalate: RegisterTask = (tasks, run, session) => {
  tasks
    .command('escalate <task>')
    .description('put an agent before the user that was called as often as it may be')
    .requiredOption('--agent <agent>', 'the agent')
    .action((name: string, { agent }: { agent: string }) =>
      run((cli) =>
        withTask(cli, name, sessionOf(cli, session()), async ({ ports, caller }, cli) => {
          const asked = { task: name, session: sessionOf(cli, session()), agent };
          const told = await escalateAgent(ports, caller, asked);
          printAnswer(cli.output, {
            data: told,
            text: [
              `${agent} cannot be called again in ${name}:`,
              ...told.history.map((line) => `  ${line}`),
              told.ask,
            ].join('\n'),
          });
          return EXIT.ok;
        }),
      ),
    );
};

const audit: RegisterTask = (tasks, run, session) => {
  tasks
    .command('audit <task>')
    .description('what the rules of agents, task.md and the lock forbid, found; exit 0 clean, 1 findings')
    .option(
      '--transcript <file>',
      'measure the calls of tools of this transcript of Claude Code up to the end of INIT',
    )
    .action((name: string, { transcript }: { transcript?: string }) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const found = await auditTask(ports, caller, { task: name, session: sessionOf(cli, session()) });
          const tools = transcript === undefined ? undefined : await toolCallsOf(ports, name, transcript);
          const isClean = isCleanAudit(found);
          printAnswer(cli.output, {
            data: { ...found, ...(tools === undefined ? {} : { tool_calls: tools }) },
            text: auditText(name, found, tools),
          });
          return isClean ? EXIT.ok : EXIT.internal;
        }),
      ),
    );
};

const isBroken = ({ level }: TaskAudit['findings'][number]) => level === 'finding';
const isCleanAudit = ({ findings, points }: TaskAudit): boolean =>
  !findings.some(isBroken) && points.every(({ passed }) => passed);

function auditText(name: string, found: TaskAudit, tools: ToolCalls | undefined): string {
  const { findings, points, resume } = found;
  const failed = points.filter(({ passed }) => !passed);
  const count = findings.filter(isBroken).length + failed.length;
  return [
    ...toolLines(tools),
    ...findings.map(({ rule, level, what }) => `${level}  ${rule}: ${what}`),
    ...failed.map(pointText),
    count === 0 ? `${name}: clean` : `${name}: ${count} findings`,
    ...(resume === undefined ? [] : [[resume.decision, ...resume.agents].join(' ')]),
  ].join('\n');
}

/** A figure and its advice: neither is a finding. */
const toolLines = (tools: ToolCalls | undefined): readonly string[] =>
  tools === undefined
    ? []
    : [
        `${tools.calls} calls in ${tools.messages} messages: ${tools.average} for each`,
        ...tools.warnings.map((warning) => `warning  ${warning}`),
      ];

/** What is done when agents do not come to an end, or something comes between. */
export const CARE: readonly RegisterTask[] = [interrupt, recover, escalate, audit];

import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { EngineError } from '../../engine/engine-error.ts';
import { attend, liveOnes } from '../../engine/phases/attend.ts';
import { runOf } from '../../engine/phases/run-name.ts';
import { type AgentOutput, killRun, outputOf, settleNamed, tellProgress } from '../../engine/phases/runs.ts';
import { LIVE } from '../../engine/phases/spawn-job.ts';
import type { StepOutcome } from '../../engine/step.ts';
import { answerOutcome } from '../answer.ts';
import { type Cli, withSession, withStore } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, note, printAnswer } from '../print.ts';
import type { Register, Run } from '../register.ts';
import { registerGiveUp } from './agent-give-up.ts';

const PAGE = 64 * 1024;

export const agent: Register = (program, run) => {
  const agents = program.command('agent').description('headless agents that the engine has started');
  registerLooks(agents, run);
  registerWords(agents, run);
};

function registerLooks(agents: Command, run: Run): void {
  agents
    .command('list')
    .description('agents and reviewers that have, or wait for, a process')
    .action(() => run(list));
  agents
    .command('output <agent>')
    .description('what an agent has written')
    .option('--offset <bytes>', 'where to begin', '0')
    .option('--limit <bytes>', 'how much at most', String(PAGE))
    .option('--stderr', 'its standard error')
    .action((ref: string, options: OutputOptions) => run((cli) => output(cli, ref, options)));
  agents
    .command('watch <agent>')
    .description('follow what an agent writes until it ends')
    .action((ref: string) => run((cli) => watch(cli, ref)));
}

interface OutputOptions {
  readonly offset: string;
  readonly limit: string;
  readonly stderr?: boolean;
}

const output = (cli: Cli, ref: string, { offset, limit, stderr }: OutputOptions) =>
  withSession(cli, async ({ ports, caller }) => {
    const part = { offset: bytesIn('--offset', offset), limit: bytesIn('--limit', limit) };
    const told = await outputOf(ports, caller, ref, { ...part, stream: stderr === true ? 'err' : 'out' });
    if (stderr !== true && told.text === '') {
      const errors = await outputOf(ports, caller, ref, { offset: 0, limit: PAGE, stream: 'err' });
      if (errors.text !== '')
        note(cli.output, `it wrote to standard error: countersign agent output ${ref} --stderr`);
    }
    printAnswer(cli.output, { data: told, text: told.text });
    return EXIT.ok;
  });

function registerWords(agents: Command, run: Run): void {
  registerGiveUp(agents, run);
  agents
    .command('kill <agent>')
    .description('end an agent that builds, with everything that it started')
    .requiredOption('--reason <text>', 'why')
    .action((ref: string, { reason }: { reason: string }) =>
      run((cli) =>
        withSession(cli, async (session) =>
          tell(cli, await killRun(session, session.caller, ref, reason), 'kill'),
        ),
      ),
    );
  agents
    .command('progress <status>')
    .description('as an agent: working, completed or failed')
    .option('--agent <agent>', 'which; whoever calls unless given', '')
    .option('--message <text>', 'what was done, or why not', '')
    .action((status: string, { agent: ref, message }: { agent: string; message: string }) =>
      run((cli) =>
        withSession(cli, async (session) =>
          tell(cli, await tellProgress(session, session.caller, { agent: ref, status, message }), status),
        ),
      ),
    );
  agents
    .command('settle <run>')
    .description('record what became of a process; its watcher calls this')
    .action((name: string) =>
      run((cli) =>
        withStore(cli, async (opened) => {
          const what = await settleNamed(opened, name);
          printAnswer(cli.output, { data: { settled: what }, text: what });
          return EXIT.ok;
        }),
      ),
    );
}

function bytesIn(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new EngineError('BAD_INPUT', `${option} is a number of bytes`, `such as: ${option} 0`);
}

const list = (cli: Cli) =>
  withSession(cli, async (session) => {
    const live = await liveOnes(session);
    const data = await Promise.all(
      live.map(async (handle) => {
        const name = runOf(handle);
        const { state, startedAt, bytes, costUsd } = await session.ports.agents.look(name || handle.display);
        return {
          agent_id: handle.display,
          run: name,
          status: handle.item.state,
          process: state,
          started_at: startedAt,
          bytes,
          cost_usd: costUsd,
          title: handle.item.title,
        };
      }),
    );
    const rows = data.map((one) => [
      one.agent_id,
      one.status,
      one.started_at || '-',
      `${one.bytes} bytes`,
      one.title,
    ]);
    printAnswer(cli.output, { data, text: rows.length === 0 ? 'no agent has a process' : columns(rows) });
    return EXIT.ok;
  });

const tell = (cli: Cli, outcome: StepOutcome, command: string): ExitCode => {
  for (const warning of outcome.warnings) note(cli.output, `note: ${warning}`);
  return answerOutcome(
    cli.output,
    outcome,
    ({ handle }) => ({
      data: { agent_id: handle.display, status: handle.item.state },
      text: `${handle.display} ${handle.item.state}`,
    }),
    command,
  );
};

/** No process of it will write any more; one that waits for a process may still get it. */
const isOver = ({ process, status }: AgentOutput): boolean =>
  !['starting', 'running'].includes(process) && (process !== 'not started' || !LIVE.includes(status));

/** Prints a transcript as it grows; ends with the agent, or when it is interrupted. */
const watch = (cli: Cli, ref: string) =>
  withSession(cli, async (session) => {
    const { ports, caller } = session;
    for (let offset = 0; !cli.signal.aborted; ) {
      const page = await outputOf(ports, caller, ref, { offset, limit: PAGE });
      if (page.next > offset) {
        cli.output.out(page.text);
        offset = page.next;
      } else if (page.ended || isOver(page)) {
        // Of one whose watcher is gone, what became of it is not on record yet.
        await attend(session);
        const { process } = await outputOf(ports, caller, ref, { offset, limit: 1 });
        note(cli.output, `${page.agent_id} ${process}`);
        break;
      } else await wait(300, undefined, { signal: cli.signal }).catch(() => undefined);
    }
    return EXIT.ok;
  });

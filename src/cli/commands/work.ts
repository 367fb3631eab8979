import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../engine/caller.ts';
import { callerOf } from '../../engine/credential.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { errorTold } from '../../engine/error-told.ts';
import { attend } from '../../engine/phases/attend.ts';
import { tick } from '../../engine/tick.ts';
import { type Worked, workOnce } from '../../engine/work-loop.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { note, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly label: readonly string[];
  readonly once?: boolean;
  readonly every: string;
}

export const work: Register = (program, run) => {
  program
    .command('work')
    .description('run the verifications that wait, as the actor that --actor names, until a signal comes')
    .option('--label <labels...>', 'what this machine has, for criteria that say runs_on', [])
    .option('--once', 'run what waits now, then end')
    .option('--every <seconds>', 'how often to look', '2')
    .action((options: Options) => run((cli) => workAt(cli, options)));
};

function workAt(cli: Cli, { label, once, every: given }: Options): Promise<ExitCode> {
  const every = secondsIn(given);
  return withSession(cli, async (session) => {
    const { evidence, runner } = session.ports;
    evidence.assertShared();
    const labels = [...new Set([...runner.labels, ...label])];
    const ports = { ...session.ports, runner: { ...runner, labels } };
    const tried = new Set<string>();
    const all: Worked[] = [];
    for (;;) {
      const worked = await round({ ...session, ports }, cli, tried, once === true);
      for (const one of worked) note(cli.output, lineOf(one));
      all.push(...worked);
      if (once === true || cli.signal.aborted) break;
      await pause(every * 1_000, undefined, { signal: cli.signal }).catch(() => {});
    }
    const data = all.map(({ item, verified }) => ({
      item,
      verdict: verified.pack?.outcome ?? null,
      because: verified.outcome.kind === 'refused' ? verified.outcome.because : '',
    }));
    printAnswer(cli.output, { data: { labels, worked: data }, text: `${all.length} verifications run` });
    return EXIT.ok;
  });
}

/** At most a day; a worker that never looks works no more. Throws BAD_INPUT. */
function secondsIn(text: string): number {
  const seconds = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (seconds >= 0.1 && seconds <= 86_400) return seconds;
  throw new EngineError(
    'BAD_INPUT',
    `--every ${text} is no number of seconds from 0.1 to 86400`,
    'such as: --every 2',
  );
}

/**
 * What goes wrong in one round is told, and the next is tried: a store may be away for a moment. Throws where there is none,
 * and where whom it works for is let in no more: a token ends while a worker runs.
 */
async function round(
  session: Session,
  cli: Cli,
  tried: Set<string>,
  last: boolean,
): Promise<readonly Worked[]> {
  const { ports } = session;
  let caller: Caller | undefined;
  try {
    caller = await callerOf(session, cli.actor);
    await tick(ports);
    await attend(session);
    return await workOnce(ports, caller, tried, cli.signal, (line) => note(cli.output, line));
  } catch (error) {
    const told = errorTold(error);
    if (last || (caller === undefined && told.code === 'NO_CREDENTIAL')) throw error;
    note(cli.output, `this round came to nothing: ${told.message}`);
    return [];
  }
}

const lineOf = ({ item, verified }: Worked): string =>
  verified.outcome.kind === 'refused'
    ? `${item} was not verified: ${verified.outcome.because}`
    : `${item} ${verified.pack?.outcome ?? 'came to nothing'}`;

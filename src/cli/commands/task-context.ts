import type { Command } from 'commander';
import { EngineError } from '../../engine/engine-error.ts';
import { projectTask } from '../../engine/staged/projections.ts';
import { viewTask } from '../../engine/staged/task.ts';
import { taskItem } from '../../engine/staged/task-item.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Run } from '../register.ts';

/** A command below `task`. `session`: what --session says. */
export type RegisterTask = (tasks: Command, run: Run, session: () => string | undefined) => void;

export const sessionOf = (cli: Cli, option: string | undefined): string => option ?? cli.session;

/** Does something with a task, and writes its files anew for whoever reads them. */
export const withTask = (
  cli: Cli,
  task: string,
  session: string,
  work: (session: Session) => Promise<ExitCode>,
) =>
  withSession(cli, async (opened) => {
    const code = await work(opened);
    await project(opened, task, session);
    return code;
  });

async function project({ ports }: Session, task: string, session: string): Promise<void> {
  const handle = await taskItem(ports, task).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (handle !== undefined) projectTask(ports, handle, await viewTask(ports, task, session));
}

import type { Command } from 'commander';
import { projectTask } from '../../engine/staged/project-task.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { note } from '../print.ts';
import type { Run } from '../register.ts';

/** A command below `task`. `session`: what --session says. */
export type RegisterTask = (tasks: Command, run: Run, session: () => string | undefined) => void;

export const sessionOf = (cli: Cli, option: string | undefined): string => option ?? cli.session;

/** Does something with a task, and writes its files anew for whoever reads them. */
export const withTask = (cli: Cli, task: string, work: (session: Session) => Promise<ExitCode>) =>
  withSession(cli, async (opened) => {
    const code = await work(opened);
    await project(cli, opened, task);
    return code;
  });

/** Brings the files of a task up to date, and tells of edits that others made to them. */
async function project(cli: Cli, opened: Session, task: string): Promise<void> {
  for (const remark of await projectTask(opened, task)) note(cli.output, `note: ${remark}`);
}

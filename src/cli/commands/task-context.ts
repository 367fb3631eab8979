import type { Command } from 'commander';
import { projectTask } from '../../engine/staged/project-task.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { note } from '../print.ts';
import type { Run } from '../register.ts';
import { leadingOn } from '../task-way.ts';

/** A command below `task`. `session`: what --session says. */
export type RegisterTask = (tasks: Command, run: Run, session: () => string | undefined) => void;

/** `--session`, where the surroundings do not say it: commands that are proposed name it again. */
export const namedIn = (cli: Cli, session: string): string =>
  session === '' || cli.session === session ? '' : ` --session ${session}`;

export const sessionOf = (cli: Cli, option: string | undefined): string => option ?? cli.session;

/**
 * Does something with a task, writes its files anew for whoever reads them, and tells what leads it on; what the command
 * prints goes to the output that it is given. `session`: what --session says.
 */
export const withTask = (
  cli: Cli,
  task: string,
  session: string,
  work: (session: Session, cli: Cli) => Promise<ExitCode>,
) =>
  withSession(cli, (opened) =>
    leadingOn(cli, opened, { task, asked: session }, async (telling) => {
      const code = await work(opened, telling);
      await project(cli, opened, task);
      return code;
    }),
  );

/** The same where the answer leads nowhere: somebody looks on, or stops. */
export const beside = (cli: Cli, task: string, work: (session: Session) => Promise<ExitCode>) =>
  withSession(cli, async (opened) => {
    const code = await work(opened);
    await project(cli, opened, task);
    return code;
  });

/** Brings the files of a task up to date, and tells of edits that others made to them. */
async function project(cli: Cli, opened: Session, task: string): Promise<void> {
  for (const remark of await projectTask(opened, task)) note(cli.output, `note: ${remark}`);
}

import type { CommandCheck } from './checks/command.ts';
import type { RunCommand } from './diff/started/started-files.ts';

/** A command whose doings on base take part in the verdict; `watched` where base's own tests are held to anyhow. */
export const startedBy = ({ argv, directory }: CommandCheck, watched: boolean): RunCommand => ({
  ...{ argv, directory, watched },
});

import type { Command } from 'commander';
import type { Cli } from './context.ts';
import type { ExitCode } from './exit-code.ts';

/** Adds a command to the program. `run` executes it with what its flags and surroundings say. */
export type Register = (program: Command, run: Run) => void;
export type Run = (work: (cli: Cli) => Promise<ExitCode>) => Promise<void>;

import { EngineError } from '../../engine/engine-error.ts';
import type { Register } from '../register.ts';

/** For help and completion: the server begins before a command line is read, where `mcp` is the first word. */
export const mcp: Register = (program, run) => {
  program
    .command('mcp')
    .description('serve MCP over stdin and stdout, as the agent that --actor names')
    .option('--actor <name>', 'the agent')
    .option('--profile <name>', 'set of tools: core, two-phase, lifecycle, goals, staged, phases', 'core')
    .action(() =>
      run(async () => {
        throw new EngineError('BAD_INPUT', 'mcp has to be the first word', 'countersign mcp --actor NAME');
      }),
    );
};

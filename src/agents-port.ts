import { hostname } from 'node:os';
import { join } from 'node:path';
import type { AgentStart, AgentsPort } from './engine/agent-port.ts';
import { EngineError } from './engine/engine-error.ts';
import { startFiles } from './installed.ts';

/** Where runs are kept, and where whatever reports their end stands. */
export interface AgentPlaces {
  readonly state: string;
  /** The main working tree: that of whoever starts a run may be gone when it ends. */
  readonly main: string;
}

/** Processes of coding agents on this machine. What starts them is loaded when the first is started. */
export function agents({ state, main }: AgentPlaces): AgentsPort {
  const folderOf = (run: string) => join(state, 'runs', run);
  const program = join(startFiles(), 'countersign.cjs');
  return {
    // Asked of the system by few commands.
    get place() {
      return `${hostname()}:${state}`;
    },
    async start(order) {
      const [{ launch }, { adapterNamed }, { layFiles }, { look }] = await Promise.all([
        import('./agents/launch.ts'),
        import('./agents/adapters/index.ts'),
        import('./agents/lay-files.ts'),
        import('./agents/look.ts'),
      ]);
      const folder = folderOf(order.run);
      const { agent } = order;
      const command = adapterNamed(agent.adapter).commandFor({
        prompt: order.prompt,
        model: agent.model,
        mcp: serverFor(program, order.run),
        readOnly: order.readOnly,
        maxTurns: agent.turns,
        costUsd: agent.cost,
        extra: agent.adapter === 'command' ? [...agent.command, ...agent.extra] : agent.extra,
        folder,
      });
      try {
        layFiles(folder, command.files);
        return await launch({
          id: order.run,
          folder,
          cwd: order.cwd,
          argv: command.argv,
          env: { ...command.env, ...surroundings(order) },
          stdin: command.stdin,
          limits: { minutes: agent.minutes, bytes: agent.megabytes * 2 ** 20, costUsd: agent.cost },
          adapter: agent.adapter,
          report: [process.execPath, program, 'agent', 'settle', order.run],
          reportCwd: main,
        });
      } catch (error) {
        // Somebody who died since had started it.
        if ((error as { code?: string }).code === 'RUN_EXISTS') return look(folder);
        throw new EngineError(
          'BAD_INPUT',
          (error as Error).message,
          'look at agents in .countersign/config.yaml',
          {
            cause: error,
          },
        );
      }
    },
    look: async (run) => (await import('./agents/look.ts')).look(folderOf(run)),
    kill: async (run, by, reason) => (await import('./agents/kill.ts')).kill(folderOf(run), by, reason),
    settle: async (run) => (await import('./agents/settle.ts')).settle(folderOf(run)),
    page: async (run, ...part) => (await import('./agents/page.ts')).page(folderOf(run), ...part),
  };
}

/** How the agent reaches us: as itself, with the tools of a task in phases. */
const serverFor = (program: string, actor: string) => ({
  command: process.execPath,
  args: [program, 'mcp', '--profile', 'phases'],
  env: { COUNTERSIGN_ACTOR: actor },
});

/** Its own commands speak in its name as well. */
const surroundings = ({ run }: AgentStart) => ({ COUNTERSIGN_ACTOR: run });

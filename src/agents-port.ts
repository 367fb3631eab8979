import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { AgentCommand, McpServer } from './agents/adapters/adapter.ts';
import type { AgentStart, AgentsPort } from './engine/agent-port.ts';
import { EngineError } from './engine/engine-error.ts';
import { startFiles } from './installed.ts';

/** Where runs are kept, and where whatever reports their end stands. */
export interface AgentPlaces {
  readonly state: string;
  /** Which store the runs are of: one that is made anew beside what an earlier one left gives the same names again. */
  readonly store: string;
  /** The main working tree: that of whoever starts a run may be gone when it ends. */
  readonly main: string;
}

/** Processes of coding agents on this machine. What starts them is loaded when the first is started. */
export function agents({ state, store, main }: AgentPlaces): AgentsPort {
  const runs = join(state, 'runs');
  const folderOf = (run: string) => join(runs, store, run);
  const program = join(startFiles(), 'countersign.cjs');
  const alone = async (run: string) => {
    await endEarlier(runs, store, run);
    return folderOf(run);
  };
  return {
    // Asked of the system by few commands.
    get place() {
      return `${hostname()}:${state}`;
    },
    async start(order) {
      const [{ launch }, { layFiles }, { look }] = await Promise.all([
        import('./agents/launch.ts'),
        import('./agents/lay-files.ts'),
        import('./agents/look.ts'),
      ]);
      const folder = await alone(order.run);
      const { agent } = order;
      const command = await commandOf(order, serverFor(program, surroundings(order, store)), folder);
      try {
        layFiles(folder, command.files);
        return await launch({
          id: order.run,
          folder,
          cwd: order.cwd,
          argv: command.argv,
          env: { ...command.env, ...surroundings(order, store) },
          stdin: command.stdin,
          limits: { minutes: agent.minutes, bytes: agent.megabytes * 2 ** 20, costUsd: agent.cost },
          adapter: agent.adapter,
          report: [process.execPath, program, 'agent', 'settle', order.run],
          reportCwd: main,
        });
      } catch (cause) {
        // Somebody who died since had started it.
        if ((cause as { code?: string }).code === 'RUN_EXISTS') return look(folder);
        const hint = 'look at agents in .countersign/config.yaml';
        throw new EngineError('BAD_INPUT', (cause as Error).message, hint, { cause });
      }
    },
    look: async (run) => (await import('./agents/look.ts')).look(folderOf(run)),
    kill: async (run, by, reason) => (await import('./agents/kill.ts')).kill(await alone(run), by, reason),
    settle: async (run) => (await import('./agents/settle.ts')).settle(await alone(run)),
    page: async (run, ...part) => (await import('./agents/page.ts')).page(folderOf(run), ...part),
  };
}

/** How the agent is called, by its adapter. */
async function commandOf(order: AgentStart, mcp: McpServer, folder: string): Promise<AgentCommand> {
  const [{ adapterNamed }, { commitFolders }] = await Promise.all([
    import('./agents/adapters/index.ts'),
    import('./workspace/commit-folders.ts'),
  ]);
  const { agent, prompt, readOnly, cwd } = order;
  return adapterNamed(agent.adapter).commandFor({
    prompt,
    model: agent.model,
    mcp,
    readOnly,
    gitFolders: readOnly ? [] : commitFolders(cwd),
    maxTurns: agent.turns,
    costUsd: agent.cost,
    extra: agent.adapter === 'command' ? [...agent.command, ...agent.extra] : agent.extra,
    folder,
  });
}

/** How the agent reaches us: as itself, with the tools of a task in phases. */
const serverFor = (program: string, env: Readonly<Record<string, string>>) => ({
  command: process.execPath,
  args: [program, 'mcp', '--profile', 'phases'],
  env,
});

/** Its own commands, and our server, speak in its name, to the store that it was started for and to no later one. */
const surroundings = ({ run }: AgentStart, store: string) => ({
  COUNTERSIGN_ACTOR: run,
  COUNTERSIGN_STORE: store,
});

/**
 * An agent of that name whose store is gone works in the very tree that this one is to have, and nobody hears it any more. Nor one
 * that an earlier version began, beside the folders of stores.
 */
async function endEarlier(runs: string, store: string, run: string): Promise<void> {
  const others = namesIn(runs).filter((name) => name !== store && name !== run);
  const earlier = [join(runs, run), ...others.map((name) => join(runs, name, run))].filter(existsSync);
  if (earlier.length === 0) return;
  const { kill } = await import('./agents/kill.ts');
  for (const folder of earlier) await kill(folder, 'engine', 'its store is gone');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

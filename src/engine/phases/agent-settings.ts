import type { AgentSettings } from '../agent-port.ts';
import { CONFIG_PATH, type Config, parseYaml, readConfig } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { MOST_MINUTES } from './settings.ts';

const DEFAULTS: AgentSettings = {
  adapter: '',
  model: '',
  command: [],
  extra: [],
  turns: 0,
  minutes: 60,
  megabytes: 50,
  cost: 0,
  runs_on: [],
};

const ADAPTERS: readonly string[] = ['claude-code', 'codex', 'gemini', 'opencode', 'command'];

/** The highest that each limit may be; 0 is none. Beyond it a slip of the pen is likelier than a wish. */
const LIMITS = { turns: 1_000_000, minutes: MOST_MINUTES, megabytes: 1_000_000, cost: 1_000_000 } as const;

/** The agent of that name, as committed. Throws BAD_CONFIG where there is none, or it is not one that can be started. */
export async function agentInForce(
  ports: Pick<Ports, 'git' | 'files'>,
  name: string,
): Promise<AgentSettings> {
  const config = await readConfig(ports);
  if (entryOf(config, name) === undefined && (await isWritten(ports, name))) {
    const ref = ports.git.defaultBranchRef(config.defaultBranch);
    const isRemote = ref.startsWith('refs/remotes/');
    throw new EngineError(
      'BAD_CONFIG',
      `${CONFIG_PATH}: the agent ${name} stands in the file and is not committed on ${ref.replace(/^refs\/(heads|remotes)\//, '')}`,
      `commit ${CONFIG_PATH} on the default branch${isRemote ? ', and push it' : ''}: only what is there counts`,
    );
  }
  return agentNamed(config, name);
}

/** The same in a configuration that was read. */
export function agentNamed(config: Pick<Config, 'agents'>, name: string): AgentSettings {
  const given = entryOf(config, name);
  if (given === undefined) {
    const known = Object.keys(config.agents ?? {}).join(', ') || 'none';
    throw bad(`there is no agent ${name} (known: ${known})`);
  }
  assertKeys(name, given);
  const agent: AgentSettings = { ...DEFAULTS, ...given };
  if (!ADAPTERS.includes(agent.adapter)) throw bad(`${name}.adapter is one of ${ADAPTERS.join(', ')}`);
  if (agent.adapter === 'command' && agent.command.length === 0)
    throw bad(`${name}.command names no program`);
  for (const key of ['command', 'extra', 'runs_on'] as const)
    if (agent[key].some((word: unknown) => typeof word !== 'string'))
      throw bad(`${name}.${key} must be a list of texts: put numbers into quotes`);
  assertLimits(name, agent);
  return agent;
}

function entryOf({ agents = {} }: Pick<Config, 'agents'>, name: string): object | undefined {
  const given = Object.hasOwn(agents, name) ? agents[name] : undefined;
  return typeof given === 'object' && given !== null ? given : undefined;
}

function assertKeys(name: string, given: object): void {
  for (const [key, value] of Object.entries(given)) {
    const known: unknown = DEFAULTS[key as keyof AgentSettings];
    if (known === undefined) throw bad(`${name} has no ${key} (known: ${Object.keys(DEFAULTS).join(', ')})`);
    if (Array.isArray(known) !== Array.isArray(value) || typeof known !== typeof value)
      throw bad(`${name}.${key} must be ${Array.isArray(known) ? 'a list' : `a ${typeof known}`}`);
  }
}

function assertLimits(name: string, agent: AgentSettings): void {
  for (const key of ['turns', 'minutes', 'megabytes', 'cost'] as const)
    if (!(agent[key] >= 0 && agent[key] <= LIMITS[key]))
      throw bad(`${name}.${key} must be from 0, for no limit, to ${LIMITS[key]}`);
  if (!Number.isInteger(agent.turns)) throw bad(`${name}.turns must be a whole number`);
}

/** Whether the file of the working tree has it: whoever wrote it is told what it lacks. */
async function isWritten({ files }: Pick<Ports, 'files'>, name: string): Promise<boolean> {
  const text = files.readWorking(CONFIG_PATH)?.toString('utf8');
  if (text === undefined) return false;
  const read = (await parseYaml(text).catch(() => undefined)) as Pick<Config, 'agents'> | null | undefined;
  return entryOf({ agents: read?.agents ?? {} }, name) !== undefined;
}

const bad = (what: string) =>
  new EngineError(
    'BAD_CONFIG',
    `${CONFIG_PATH}: agents: ${what}`,
    'such as: agents: { builder: { adapter: claude-code } }',
  );

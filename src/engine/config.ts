import type { Setting } from '../kernel/event.ts';
import { type Allowances, allowancesOf, hatsOf } from './config-tables.ts';
import { EngineError } from './engine-error.ts';
import type { GitPort, Ports } from './ports.ts';
import { type Settings, settingNames } from './settings.ts';

/** `.countersign/config.yaml`, as committed. */
export interface Config {
  /** '' = detected. */
  readonly defaultBranch: string;
  readonly protocol: string;
  readonly settings: Settings;
  /** Files that the engine writes for others to read, and never believes; '' = not written. */
  readonly projections: { readonly todo: string; readonly proofpacks: string };
  /** Minutes that items may stay in a state, by protocol and state. */
  readonly allowances: Allowances;
  /** Pairs of hats that one actor may not wear on one item, 'builder-tester'; undefined = the protocol's own. */
  readonly hats: readonly string[] | undefined;
  /** How tasks in stages are run; read by who needs it (staged/settings.ts). */
  readonly staged: { readonly [key: string]: unknown } | undefined;
  /** How tasks in phases are run, and the coding agents that can be started; read by who needs it (phases/settings.ts). */
  readonly phases: { readonly [key: string]: unknown } | undefined;
  readonly agents: { readonly [key: string]: unknown } | undefined;
  /** What is demanded of a push, by whoever keeps the repository that is pushed to (gated/policy.ts). */
  readonly gate: { readonly [key: string]: unknown } | undefined;
  /** The commit it was read from, '' when no configuration is committed. */
  readonly commit: string;
  /** The keys that the file sets, dotted; everything else is a default. */
  readonly given: readonly string[];
}

export const CONFIG_PATH = '.countersign/config.yaml';

const DEFAULTS: Config = {
  defaultBranch: '',
  protocol: 'two-phase',
  settings: {},
  projections: { todo: '', proofpacks: '' },
  allowances: {},
  hats: undefined,
  staged: undefined,
  phases: undefined,
  agents: undefined,
  gate: undefined,
  commit: '',
  given: [],
};

/** What a process read last, by repository: whoever acts after the work need not ask git again. */
const lastRead = new WeakMap<GitPort, Config>();

/** The configuration that this process has read for the repository; undefined when nothing needed it. */
export const configRead = ({ git }: Pick<Ports, 'git'>): Config | undefined => lastRead.get(git);

/**
 * The configuration on the default branch (or HEAD before there is one); never that of the working tree. Other files
 * that will be needed at the same commits can be named to be read with it.
 */
export async function readConfig(ports: Pick<Ports, 'git'>, ahead: readonly string[] = []): Promise<Config> {
  const config = await configAtHead(ports, ahead);
  lastRead.set(ports.git, config);
  return config;
}

async function configAtHead(ports: Pick<Ports, 'git'>, ahead: readonly string[]): Promise<Config> {
  const { head, defaultHead } = ports.git.heads('', [CONFIG_PATH, ...ahead]);
  const commit = defaultHead || head;
  // Under a whole commit id the file never changes.
  const before = lastRead.get(ports.git);
  if (before !== undefined && before.commit === commit && commit !== '') return before;
  const bytes = commit === '' ? undefined : ports.git.readAt(commit, CONFIG_PATH);
  if (bytes === undefined) return DEFAULTS;
  try {
    return { ...configFrom(await parseYaml(bytes.toString('utf8'))), commit };
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError(
      'BAD_CONFIG',
      `${CONFIG_PATH} at ${commit.slice(0, 12)} is not YAML: ${String(cause)}`,
    );
  }
}

/** The value of a YAML text. Throws what the parser throws: its message names the line. */
export async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  return parse(text, { maxAliasCount: 50 });
}

/** Throws BAD_CONFIG naming every key that is not known: a misspelt demand must not be a silent one. */
export function configFrom(value: unknown): Config {
  const root = recordOf(value ?? {}, 'the configuration');
  const problems = unknownKeys(
    root,
    [
      ...['schema', 'default_branch', 'protocol', 'settings', 'projections', 'allowances', 'hats', 'staged'],
      ...['phases', 'agents', 'gate'],
    ],
    '',
  );
  const projections = recordOf(root.projections ?? {}, 'projections');
  problems.push(...unknownKeys(projections, ['todo', 'proofpacks'], 'projections.'));
  if (problems.length > 0) throw new EngineError('BAD_CONFIG', `${CONFIG_PATH}: ${problems.join('; ')}`);
  return {
    defaultBranch: textOf(root.default_branch, 'default_branch'),
    protocol: textOf(root.protocol, 'protocol') || DEFAULTS.protocol,
    settings: settingsOf(recordOf(root.settings ?? {}, 'settings')),
    projections: {
      todo: pathOf(projections.todo, 'projections.todo'),
      proofpacks: pathOf(projections.proofpacks, 'projections.proofpacks'),
    },
    allowances: allowancesOf(root.allowances ?? {}),
    hats: hatsOf(root.hats),
    staged: tableIn(root, 'staged'),
    phases: tableIn(root, 'phases'),
    agents: tableIn(root, 'agents'),
    gate: tableIn(root, 'gate'),
    commit: '',
    given: keysOf(root),
  };
}

const tableIn = (root: { readonly [key: string]: unknown }, key: string) =>
  root[key] === undefined ? undefined : recordOf(root[key], key);

/** Dotted names of what is set; a table counts by its entries. */
function keysOf(root: { readonly [key: string]: unknown }): readonly string[] {
  return Object.entries(root).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? Object.keys(value).map((inner) => `${key}.${inner}`)
      : [key],
  );
}

function settingsOf(value: { readonly [key: string]: unknown }): Settings {
  const settings: Record<string, Setting> = {};
  const problems = unknownKeys(value, settingNames(), 'settings.');
  if (problems.length > 0) throw new EngineError('BAD_CONFIG', `${CONFIG_PATH}: ${problems.join('; ')}`);
  for (const [name, v] of Object.entries(value)) {
    if (typeof v !== 'string' && typeof v !== 'boolean') {
      throw new EngineError('BAD_CONFIG', `${CONFIG_PATH}: settings.${name} must be true, false or a word`);
    }
    settings[name] = v;
  }
  return settings;
}

export function unknownKeys(value: object, known: readonly string[], at: string): string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `unknown key ${at}${key} (known: ${known.join(', ')})`);
}

export function recordOf(value: unknown, what: string): { readonly [key: string]: unknown } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as { [key: string]: unknown };
  throw new EngineError('BAD_CONFIG', `${CONFIG_PATH}: ${what} must be a table of keys`);
}

function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new EngineError('BAD_CONFIG', `${CONFIG_PATH}: ${what} must be text`);
}

function pathOf(value: unknown, what: string): string {
  const path = textOf(value, what);
  const parts = path.split('/');
  if (path.startsWith('/') || parts.includes('..') || parts[0]?.toLowerCase() === '.git') {
    throw new EngineError('BAD_CONFIG', `${CONFIG_PATH}: ${what} must stay inside the repository`);
  }
  return path;
}

import type { Config } from '../config.ts';
import { EngineError } from '../engine-error.ts';

/** What a rule of risk says of a task that touches a path. */
export interface RiskRule {
  readonly patterns: readonly string[];
  readonly risk: Risk;
  readonly agents: readonly string[];
}

export const RISKS = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type Risk = (typeof RISKS)[number];

/** An agent of a task. Names that lists and documents use for it are aliases (CP-25). */
export interface AgentKind {
  readonly aliases: readonly string[];
  /** 1 decides conflicts over 2. */
  readonly tier: number;
  readonly domain: string;
  readonly model: string;
}

/**
 * An agent by any name that it has; whatever is the name of none stays as it is (CP-25). `own`: agents of the task, who keep the
 * names that they were called by when the project calls somebody else so by now.
 */
export function agentNamed(
  agents: StagedSettings['agents'],
  name: string,
  own: readonly string[] = [],
): string {
  if (Object.hasOwn(agents, name) || own.includes(name)) return name;
  return Object.keys(agents).find((known) => agents[known]?.aliases.includes(name)) ?? name;
}

/** What documents may call an agent beside its own name. */
export const aliasesOf = (agents: StagedSettings['agents'], agent: string): readonly string[] =>
  agents[agent]?.aliases ?? [];

/** How a project runs tasks in stages: `staged` in `.countersign/config.yaml`. Paths are relative to the main worktree. */
export interface StagedSettings {
  /** `{repo}` = the name of the main worktree's folder. */
  readonly tasks: string;
  readonly archive: string;
  readonly todo: string;
  readonly entryFields: readonly string[];
  /** `{task}` and `{agent}`. */
  readonly taskBranch: string;
  readonly agentBranch: string;
  /** '' = nothing is pushed. */
  readonly remote: string;
  readonly headings: readonly string[];
  readonly planHeading: string;
  readonly planParts: readonly string[];
  /** Bytes. */
  readonly minReport: number;
  /** In their order; the first that matches a path counts for it. */
  readonly rules: readonly RiskRule[];
  readonly agents: { readonly [name: string]: AgentKind };
  /** What the coordinator may not edit. */
  readonly implementation: readonly string[];
  /** What the coordinator may edit although a pattern of the above names it. */
  readonly coordination: readonly string[];
  readonly documents: readonly string[];
  /** Minutes until a status must be there, without an update, and in all. */
  readonly waits: { readonly start: number; readonly silence: number; readonly total: number };
  readonly retries: number;
  /** The first port that trees of tasks get, and how many each. */
  readonly ports: { readonly first: number; readonly each: number };
  /** Begin of each tree's scratch name: `{task}` and `{agent}`. */
  readonly scratch: string;
  readonly approvalWords: readonly string[];
  readonly commitTag: string;
  /** What a transcript is measured against, where one is given: calls for each message, and what is read together. */
  readonly toolCalls: {
    readonly least: number;
    readonly configuration: readonly string[];
    readonly architecture: readonly string[];
  };
}

const kind = (tier: number, domain: string, aliases: readonly string[] = []): AgentKind => ({
  ...{ aliases, tier, domain, model: '' },
});

export const STAGED_DEFAULTS: StagedSettings = {
  tasks: '../{repo}.tasks',
  archive: '../{repo}.tasks/.archive',
  todo: 'todo.md',
  entryFields: ['Purpose', 'Scope', 'Components'],
  taskBranch: '{task}',
  agentBranch: 'task-{task}-agent-{agent}',
  remote: 'origin',
  headings: ['Task Objective', 'Scope Definition', 'Stakeholder Agent Reports'],
  planHeading: 'Implementation Plan',
  planParts: [
    'File Manifest',
    'API Specifications',
    'Behaviour',
    'Test Specifications',
    'Phases',
    'Decision Log',
  ],
  minReport: 100,
  rules: [
    {
      patterns: [
        '**/*auth*',
        '**/*auth*/**',
        '**/*crypto*',
        '**/*crypto*/**',
        '**/*payment*',
        '**/*payment*/**',
      ],
      risk: 'HIGH',
      agents: ['architect', 'security', 'tester'],
    },
    {
      patterns: [
        '**/package.json',
        '**/pom.xml',
        '**/build.gradle',
        '**/Cargo.toml',
        '**/go.mod',
        '**/Makefile',
      ],
      risk: 'HIGH',
      agents: ['architect', 'builder', 'tester'],
    },
    { patterns: ['**/*.md', 'docs/**'], risk: 'LOW', agents: ['architect'] },
    { patterns: ['**'], risk: 'MEDIUM', agents: ['architect', 'quality', 'tester'] },
  ],
  agents: {
    architect: kind(1, 'architecture'),
    security: kind(2, 'security'),
    performance: kind(2, 'performance'),
    quality: kind(2, 'quality', ['engineer']),
    tester: kind(2, 'tests', ['test']),
    builder: kind(2, 'build', ['build']),
    style: kind(3, 'style', ['formatter']),
    usability: kind(3, 'usability'),
  },
  implementation: ['**'],
  coordination: ['todo.md', '**/*.md'],
  documents: ['**/*.md', 'docs/**'],
  waits: { start: 5, silence: 30, total: 60 },
  retries: 2,
  ports: { first: 20_000, each: 10 },
  scratch: '{task}_{agent}',
  approvalWords: ['approved', 'proceed'],
  commitTag: '[agent:{agent}]',
  toolCalls: { least: 2, configuration: [], architecture: [] },
};

/** The seed's own literals. */
export const SEED_002: Partial<StagedSettings> = {
  tasks: '../tasks',
  archive: '../tasks/.archive',
  implementation: [
    '**/*.java',
    '**/pom.xml',
    '**/module-info.java',
    '**/src/main/java/**',
    '**/src/test/java/**',
  ],
  toolCalls: {
    least: 2,
    configuration: ['pom.xml', 'checkstyle.xml', 'pmd.xml'],
    architecture: ['docs/project/architecture.md'],
  },
};

const PRESETS: { readonly [name: string]: Partial<StagedSettings> } = { 'seed-002': SEED_002 };

/** The settings of a project. Throws BAD_CONFIG for a key or a value that is none. */
export function stagedSettings({ staged }: Pick<Config, 'staged'>): StagedSettings {
  if (staged === undefined) return STAGED_DEFAULTS;
  const { preset, ...own } = staged;
  const named = preset === undefined ? {} : PRESETS[String(preset)];
  if (named === undefined) throw bad(`preset must be one of ${Object.keys(PRESETS).join(', ')}`);
  for (const [key, value] of Object.entries(own)) {
    if (!Object.hasOwn(STAGED_DEFAULTS, key))
      throw bad(`unknown key ${key} (known: preset, ${Object.keys(STAGED_DEFAULTS).join(', ')})`);
    assertAlike(key, value, STAGED_DEFAULTS[key as keyof StagedSettings]);
  }
  const agents = Object.fromEntries(
    Object.entries((own.agents ?? {}) as { readonly [name: string]: Partial<AgentKind> }).map(
      ([name, given]) => [name, { ...kind(2, name), ...STAGED_DEFAULTS.agents[name], ...given }],
    ),
  );
  for (const [name, given] of Object.entries((own.agents ?? {}) as object)) assertAgent(name, given);
  const waits = { ...STAGED_DEFAULTS.waits, ...(own.waits as object | undefined) };
  const ports = { ...STAGED_DEFAULTS.ports, ...(own.ports as object | undefined) };
  assertPorts(ports);
  const toolCalls = {
    ...STAGED_DEFAULTS.toolCalls,
    ...named.toolCalls,
    ...(own.toolCalls as object | undefined),
  };
  const set = own.agents === undefined ? STAGED_DEFAULTS.agents : agents;
  const whole = { agents: set, waits, ports, toolCalls };
  return { ...STAGED_DEFAULTS, ...named, ...(own as Partial<StagedSettings>), ...whole };
}

/** What an agent of the project is called, and its tier, as far as they are said. */
function assertAgent(name: string, given: unknown): void {
  const isTable = given === null || (typeof given === 'object' && !Array.isArray(given));
  const {
    aliases = [],
    tier = 1,
    domain = '',
    model = '',
  } = (isTable && given !== null ? given : {}) as {
    readonly [key: string]: unknown;
  };
  const areNames = Array.isArray(aliases) && aliases.every((alias) => typeof alias === 'string');
  if (
    !isTable ||
    !areNames ||
    ![domain, model].every((text) => typeof text === 'string') ||
    typeof tier !== 'number'
  )
    throw bad(`agents: ${name} takes aliases (a list of names), tier (a number), domain and model`);
}

function assertPorts({ first, each }: StagedSettings['ports']): void {
  if (!Number.isInteger(first) || first < 1_024 || first > 65_535) throw bad('ports: first is 1024 to 65535');
  if (!Number.isInteger(each) || each < 1 || each > 1_000) throw bad('ports: each is 1 to 1000');
}

function assertAlike(key: string, value: unknown, known: unknown): void {
  const shape = (v: unknown) =>
    Array.isArray(v) ? 'a list' : typeof v === 'object' && v !== null ? 'a table' : typeof v;
  if (shape(value) !== shape(known)) throw bad(`${key} must be ${shape(known)}`);
  if (key === 'rules')
    for (const rule of value as readonly Partial<RiskRule>[])
      if (!Array.isArray(rule.patterns) || !RISKS.some((r) => r === rule.risk) || !Array.isArray(rule.agents))
        throw bad('each of rules needs patterns, risk (HIGH, MEDIUM or LOW) and agents');
}

const bad = (what: string) => new EngineError('BAD_CONFIG', `.countersign/config.yaml: staged: ${what}`);

import { briefText } from '../../protocols/brief.ts';
import { EngineError } from '../engine-error.ts';
import { EXIT_CHECK, exitCheckText, programForScripts } from './exit-check.ts';
import { editJson, type HarnessFile, isEmpty, objectIn, parsed } from './harness-file.ts';
import { BUILDER_AGENT, VERIFIER_AGENT } from './names.ts';
import { TWO_PHASE, type Workflow } from './workflow.ts';

/** What has to be known of this installation to name it in the files of Claude Code. */
export interface Installation {
  /** How the program is started: `countersign`, or `node "…/countersign.cjs"`. */
  readonly program: readonly string[];
  /** The command of the hooks, as a shell takes it. */
  readonly hook: string;
  /** True where the program is a part of the project, so that its files mean the same on every machine. */
  readonly shared: boolean;
  readonly builder: string;
  readonly verifier: string;
  /** The file that holds instructions for agents: CLAUDE.md, or an AGENTS.md that is there already. */
  readonly instructions: string;
  /** Of the protocol that the project uses. */
  readonly workflow: Workflow;
}

export type AgentName = typeof VERIFIER_AGENT | typeof BUILDER_AGENT;
export const AGENTS = [BUILDER_AGENT, VERIFIER_AGENT] as const;

/** What each agent may use beside its own server, of which it has only what its part takes. */
const READING = ['next', 'item_list', 'item_show'];
const TOOLS_OF = {
  [BUILDER_AGENT]: {
    others: ['Read', 'Grep', 'Glob', 'Edit', 'Write', 'Bash'],
    server: 'countersign',
  },
  [VERIFIER_AGENT]: {
    others: ['Read', 'Grep', 'Glob'],
    server: VERIFIER_AGENT,
  },
} as const;

/** Every file that Claude Code is told by. */
export function claudeCodeFiles(installation: Installation): readonly HarnessFile[] {
  const settings = installation.shared ? '.claude/settings.json' : '.claude/settings.local.json';
  return [
    servers('.mcp.json', installation),
    hooks(settings, installation.hook),
    ...AGENTS.map((name) =>
      wholeFile(`.claude/agents/${name}.md`, agentText(name, 'mcp__', installation.workflow), 'agent'),
    ),
    ...(installation.workflow.profile === 'staged'
      ? [wholeFile(`.claude/${EXIT_CHECK}`, exitCheckText(programForScripts(installation), MARK), 'script')]
      : []),
    block(installation.instructions, installation.workflow),
  ];
}

/** The servers, one for each credential. */
export function mcpServers({ program, builder, verifier, workflow }: Installation) {
  const [command = '', ...before] = program;
  const server = (actor: string) => ({
    type: 'stdio',
    command,
    args: [...before, 'mcp', '--actor', actor, '--profile', workflow.profile],
  });
  return { countersign: server(builder), [VERIFIER_AGENT]: server(verifier) };
}

function servers(path: string, installation: Installation): HarnessFile {
  const ours = mcpServers(installation);
  return {
    path,
    withOurs: (text) =>
      editJson(path, text, (root) => {
        Object.assign(objectIn(path, root, 'mcpServers'), ours);
      }),
    without: (text) =>
      text === undefined
        ? undefined
        : leftOf(path, text, 'mcpServers', (own) => {
            for (const name of Object.keys(ours)) delete own[name];
          }),
  };
}

/** A file without our part of one member; undefined where nothing else is in it. */
function leftOf(
  path: string,
  text: string,
  member: string,
  drop: (own: { [name: string]: unknown }) => void,
): string | undefined {
  const edited = editJson(path, text, (root) => {
    if (root[member] === undefined) return;
    const own = objectIn(path, root, member);
    const was = JSON.stringify(own);
    drop(own);
    if (isEmpty(own) && JSON.stringify(own) !== was) delete root[member];
  });
  return edited !== text && isEmpty(parsed(path, edited)) ? undefined : edited;
}

/** Events, and the tools that the hook is asked about. Seconds: a hook that takes longer is not waited for. */
const EVENTS = [
  { event: 'SessionStart', timeout: 30 },
  { event: 'UserPromptSubmit', timeout: 30 },
  {
    event: 'PreToolUse',
    matcher:
      'Edit|MultiEdit|Write|NotebookEdit|Bash|TodoWrite|TaskUpdate|^Task$|^Agent$|AskUserQuestion|mcp__.*countersign.*',
    timeout: 30,
  },
  { event: 'TaskCompleted', timeout: 30 },
  { event: 'Stop', timeout: 30 },
  { event: 'SubagentStop', timeout: 30 },
  { event: 'ConfigChange', timeout: 30 },
] as const satisfies readonly HookedEvent[];

interface HookedEvent {
  readonly event: string;
  readonly matcher?: string;
  readonly timeout: number;
}

/** The events that the hook is asked about. */
export const EVENT_NAMES = EVENTS.map(({ event }) => event);

/** The hooks as settings and plugins hold them. */
export function hookEntries(command: string): { readonly [event: string]: readonly object[] } {
  return Object.fromEntries(
    EVENTS.map(({ event, timeout, ...more }: HookedEvent) => {
      // What cannot be asked about must not pass for allowed; elsewhere the agent's host does not know the field.
      const failure = event === 'PreToolUse' ? { onFailure: 'block' } : {};
      const hook = { type: 'command', command, timeout, ...failure };
      return [event, [{ ...more, hooks: [hook] }]];
    }),
  );
}

/** Hook entries of ours, whichever version wrote them. */
export const isOurs = (entry: unknown): boolean =>
  /countersign-hook(\.cjs)?["']? claude-code/.test(JSON.stringify(entry).replaceAll('\\"', '"'));

function hooks(path: string, command: string): HarnessFile {
  const drop = (own: { [name: string]: unknown }) => {
    for (const [event, entries] of Object.entries(own)) {
      if (!Array.isArray(entries)) continue;
      const others = entries.filter((entry) => !isOurs(entry));
      if (others.length === 0 && entries.length > 0) delete own[event];
      else own[event] = others;
    }
  };
  return {
    path,
    withOurs: (text) =>
      editJson(path, text, (root) => {
        const own = objectIn(path, root, 'hooks');
        const ours = hookEntries(command);
        // Entries that are there and current stay where they are, so that a second run changes nothing.
        for (const [event, entries] of Object.entries(ours)) {
          const present = Array.isArray(own[event]) ? (own[event] as unknown[]) : [];
          const current = present.filter(isOurs);
          if (JSON.stringify(current) === JSON.stringify(entries)) continue;
          own[event] = [...present.filter((entry) => !isOurs(entry)), ...entries];
        }
      }),
    without: (text) => (text === undefined ? undefined : leftOf(path, text, 'hooks', drop)),
  };
}

const MARK = 'Written by countersign init.';

/** A whole file of ours. One that somebody else wrote under the name is refused, and never taken away. */
function wholeFile(path: string, ours: string, what: 'agent' | 'script'): HarnessFile {
  return {
    path,
    withOurs: (text) => {
      if (text === undefined || text.includes(MARK)) return ours;
      throw new EngineError(
        'BAD_INPUT',
        `${path} is not of Countersign, which needs ${what === 'agent' ? 'an' : 'a'} ${what} of that name`,
        `give your ${what} another name, then once more; nothing was written`,
      );
    },
    without: (text) => (text?.includes(MARK) === true ? undefined : text),
  };
}

/** What an agent is told of roles that it has no tools for: giving out work and ending it is the session's or a person's. */
const BESIDE_ROLES = {
  [BUILDER_AGENT]: [
    'Verification may never be skipped: a claimed item is not done, whoever says so.',
    'You add, give out, retry and complete nothing: whoever called you does the first three. A blocked item you report with all that failed.',
    'Completing what reads verified is for a person alone. Say so, and name the command: countersign complete ITEM.',
  ],
  [VERIFIER_AGENT]: [
    'Completing what reads verified is for a person alone. Say so, and name the command: countersign complete ITEM.',
  ],
} as const;

/** Other protocols have other last words: what is due, and whose it is, `next` says. */
const ELSEWHERE = {
  [BUILDER_AGENT]: [
    'Verification may never be skipped: what you hand in is not done, whoever says so, and you neither approve nor verify it.',
    'The tool next names the step that is due and the exact call. What it names for somebody else you leave to them, and say so.',
  ],
  [VERIFIER_AGENT]: [
    'The tool next names the step that is due and the exact call. What it names for somebody else you leave to them, and say so.',
  ],
} as const;

const besideRoles = (name: AgentName, { profile }: Workflow): readonly string[] =>
  (profile === 'two-phase' ? BESIDE_ROLES : ELSEWHERE)[name];

/** The definition of an agent: what it is called for, which tools it has, and the rules of what it does (2PC-97). */
export function agentText(name: AgentName, prefix = 'mcp__', workflow: Workflow = TWO_PHASE): string {
  const isVerifier = name === VERIFIER_AGENT;
  const part = isVerifier ? workflow.verifier : workflow.builder;
  const briefs = workflow.briefs.filter(({ role }) => part.told.includes(role));
  const { others, server } = TOOLS_OF[name];
  const tools = [...others, ...[...READING, ...part.tools].map((tool) => `${prefix}${server}__${tool}`)].join(
    ', ',
  );
  const description = isVerifier
    ? 'Has claimed Countersign items verified. Use it whenever an item was claimed: who built may not.'
    : 'Builds one Countersign item: starts it, commits the work and claims it.';
  return [
    '---',
    `name: ${name}`,
    // In quotes: a colon in it would end the name of a mapping.
    `description: ${JSON.stringify(description)}`,
    `tools: ${tools}`,
    '---',
    '',
    ...briefs.map((brief) => `${briefText(brief)}\n`),
    ...besideRoles(name, workflow).map((rule) => `- ${rule}`),
    '',
    `<!-- ${MARK} countersign uninstall takes it away; changes are overwritten by the next init. -->`,
    '',
  ].join('\n');
}

const BEGIN = '<!-- countersign: begin -->';
const END = '<!-- countersign: end -->';

/** A short part of the instructions for agents, between markers. */
function block(path: string, workflow: Workflow): HarnessFile {
  const ours = [BEGIN, ...blockLines(VERIFIER_AGENT, workflow), END].join('\n');
  const around = (text: string) => {
    const [before = '', rest, ...begins] = text.split(BEGIN);
    const [, after, ...ends] = (rest ?? '').split(END);
    if (rest === undefined && !text.includes(END)) return undefined;
    // What stands between marks that make no pair may be anybody's.
    if (after === undefined || begins.length + ends.length > 0 || before.includes(END))
      throw new EngineError(
        'BAD_INPUT',
        `${path} does not hold ${BEGIN} and ${END} as one pair`,
        'take out the mark that is left over, and keep what is yours; nothing was written',
      );
    return { before, after };
  };
  return {
    path,
    withOurs: (text) => {
      if (text === undefined || text === '') return `${ours}\n`;
      const rest = around(text);
      if (rest !== undefined) return `${rest.before}${ours}${rest.after}`;
      return `${text}${text.endsWith('\n') ? '' : '\n'}\n${ours}\n`;
    },
    without: (text) => {
      const rest = text === undefined ? undefined : around(text);
      if (rest === undefined) return text;
      const left = `${rest.before.replace(/\n\n$/, '\n')}${rest.after.replace(/^\n/, '')}`;
      return left.trim() === '' ? undefined : left;
    },
  };
}

/** What an agent is told of a project that works under Countersign; the verifier as it is called there. */
export const blockLines = (verifier: string, { profile }: Workflow = TWO_PHASE): readonly string[] => [
  '## Countersign',
  '',
  'Nothing is done until someone else confirms it. Work is tracked as items, in the MCP server `countersign`.',
  '',
  '- Begin with its tool `next`: it names what you may do now and the exact call.',
  ...(profile === 'two-phase'
    ? [
        '- Commit the work, then `item_claim`. A claim is not done, and you cannot verify or complete what you built.',
        `- Have a claimed item verified by the agent \`${verifier}\`; report what it found as it is.`,
        '- A verified item is completed by a person alone: tell them, with the command `countersign complete ITEM`.',
      ]
    : [
        '- Commit the work, then hand it in by the call that `next` names. It is not done, and you cannot approve or verify what you built.',
        `- Have it judged and verified by the agent \`${verifier}\`; report what it found as it is.`,
      ]),
  '- Do not edit `.countersign/`, the hooks or the store. Say so when you think that a check is wrong.',
];

import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { bring, type State } from '../two-phase/bring.ts';
import { type Hooked, hook } from './hook-program.ts';

/** What a hook that has nothing to say leaves behind. */
export const nothing = { code: 0, stdout: '', stderr: '' };

/** A session of Claude Code in a repository with items; each test has a session and a list of its own. */
export interface Hooks {
  readonly s: Session;
  readonly turn: number;
  session: string;
  fire(event: object, more?: { readonly env?: NodeJS.ProcessEnv }): Hooked;
  uses(tool: string, input: object, more?: object): Hooked;
  stops(more?: object): Hooked;
  /** Any text on stdin, in any folder. */
  raw(text: string, cwd?: string): Hooked;
  base(): object;
  bring(state: State): Promise<string>;
  /** An item in a state, in the hands of this session. */
  bound(state: State, agent?: string): Promise<string>;
}

const TWO_PHASE_TEAM = {
  orchestrator: ['workflow-orchestrator'],
  'swiftui-developer': ['specialist'],
  'verification-agent': ['verification-agent'],
};

/** For a file of tests. Payloads are in the shapes that Claude Code documents, answered by real processes. */
export function hooksOfASession(
  team: Readonly<Record<string, readonly string[]>> = TWO_PHASE_TEAM,
  actor = 'swiftui-developer',
): Hooks {
  let program: Program;
  let s: Session;
  let turn = 0;
  beforeAll(async () => {
    program = buildProgram();
    s = await openSession({
      config: 'settings: {halt_on_block: false}\n',
      agents: team,
    });
  });
  afterAll(() => {
    program.remove();
    s.close();
  });
  beforeEach(() => {
    turn += 1;
    hooks.session = `5f0c1d2e-0000-4000-8000-${String(turn).padStart(12, '0')}`;
  });
  const asked = (event: object | string, cwd: string, env: NodeJS.ProcessEnv = {}) =>
    hook(program, { env: { ...s.env, ...env }, cwd, actor }, event);
  const hooks: Hooks = {
    get s() {
      return s;
    },
    get turn() {
      return turn;
    },
    session: '',
    base: () => ({
      session_id: hooks.session,
      transcript_path: '/home/a/.claude/projects/p/t.jsonl',
      cwd: s.repo.top,
      permission_mode: 'default',
    }),
    fire: (event, { env } = {}) => asked({ ...hooks.base(), ...event }, s.repo.top, env),
    uses: (tool_name, tool_input, more = {}) =>
      hooks.fire({ hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 'toolu_1', ...more }),
    stops: (more = {}) =>
      hooks.fire({
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: 'Done!',
        ...more,
      }),
    raw: (text, cwd = s.repo.top) => asked(text, cwd),
    bring: (state) => bring(s, state, '--list', `list-${turn}`),
    async bound(state, agent = '') {
      const item = await hooks.bring(state);
      const more = agent === '' ? {} : { agent_id: agent };
      expect(hooks.uses('mcp__countersign__item_claim', { item }, more)).toMatchObject(nothing);
      return item;
    },
  };
  return hooks;
}

/** Why a tool was refused, '' where it was not. */
export const denied = (told: Hooked): string => told.said?.hookSpecificOutput?.permissionDecisionReason ?? '';

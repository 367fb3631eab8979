import { afterEach, describe, expect, test } from 'vitest';
import { refusalStream } from '../../src/engine/refuse.ts';
import { STAGED_STEPS } from '../../src/protocols/tools.ts';
import { type Talk, talk } from '../mcp/in-memory.ts';
import type { Crew } from '../staged/crew.ts';
import { crewAt, TASK } from '../staged/walk.ts';
import { runs } from '../thoroughness.ts';
import { plain, type Told } from './faces.ts';

// J02, tasks in stages: every state x step x role is answered alike by the command line and by MCP (R14).
interface Caller {
  readonly actor: string;
  readonly session: string;
}
const CALLERS: Readonly<Record<string, Caller>> = {
  lead: { actor: 'lead', session: 's-1' },
  'lead of another session': { actor: 'lead', session: 's-2' },
  architect: { actor: 'architect', session: 's-1' },
  bystander: { actor: 'bystander', session: 's-1' },
};

interface Tried {
  readonly line: (session: string) => readonly string[];
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Agents say it for themselves: no session goes with it. */
  readonly ownWord?: boolean;
}
const ARGUMENTS: Readonly<Record<string, string>> = {
  ...{ risk: 'MEDIUM', agents: 'architect,quality,tester', agent: 'architect', reason: 'src/dates.js' },
  ...{ expertise: 'e', requirement: 'r', overlooked: 'o', shows: 's' },
};

/** A step of the table with all that it takes; what brings an agent late brings one that is not there yet. */
function stepOf(command: string): Tried {
  const { more = {} } = STAGED_STEPS.find((one) => one.command === command) ?? {};
  const late = command.startsWith('add-') ? { ...ARGUMENTS, agent: 'security' } : ARGUMENTS;
  const given = Object.fromEntries(
    Object.keys(more).flatMap((name) => (name in late ? [[name, late[name]]] : [])),
  );
  const options = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return {
    line: (session) => ['task', '--session', session, command, TASK, ...options],
    tool: 'task_step',
    input: { command, ...given },
  };
}
const act = (name: string, ...more: readonly string[]): Tried => ({
  line: (session) => ['task', '--session', session, name, TASK, ...more],
  tool: 'task_do',
  input: { act: name, ...(more[0] === undefined ? {} : { agent: more[0] }) },
});
const word = (status: string): Tried => ({
  line: () => ['task', 'status', TASK, status, '--reason', 'so'],
  tool: 'task_status',
  input: { status, reason: 'so' },
  ownWord: true,
});
const lease = (what: string, does: string): Tried => ({
  line: (session) => ['lease', '--session', session, does, what],
  tool: 'lease',
  input: { what, act: does },
});

const TRIED: Readonly<Record<string, Tried>> = {
  ...Object.fromEntries(
    STAGED_STEPS.filter(({ command }) => command !== 'skip-checks').map(({ command }) => [
      command,
      stepOf(command),
    ]),
  ),
  verify: { line: () => ['verify', 'T-1'], tool: 'verify_task', input: { task_id: 'T-1' }, ownWord: true },
  ...Object.fromEntries(
    ['WORKING', 'COMPLETE', 'ERROR', 'APPROVED', 'REJECTED'].map((status) => [status, word(status)]),
  ),
  check: { ...act('check'), tool: 'task_check', input: {} },
  start: { ...act('start'), tool: 'task_start', input: {} },
  stop: {
    line: (session) => [
      'task',
      '--session',
      session,
      'stop',
      TASK,
      '--category',
      'technical-blocker',
      '--evidence',
      'x',
    ],
    tool: 'task_stop',
    input: { category: 'technical-blocker', evidence: ['x'] },
  },
  merge: act('merge', 'architect'),
  land: act('land'),
  tidy: act('tidy'),
  'release of the task': lease(TASK, 'release'),
  'beat of the task': lease(TASK, 'beat'),
  'take of main': lease('main', 'take'),
  'release of main': lease('main', 'release'),
};

let crew: Crew;
const talks = new Map<string, Talk>();
async function closed(): Promise<void> {
  for (const { close } of talks.values()) await close();
  talks.clear();
}
afterEach(async () => {
  await closed();
  crew.close();
});

async function calls(actor: string, tool: string, input: Record<string, unknown>) {
  const known = talks.get(actor) ?? (await talk(crew.session, actor, 'staged', true));
  talks.set(actor, known);
  return known.call(tool, input);
}

/** What a face answered, and what the store holds after it. */
async function told(error: Partial<Told> | undefined): Promise<Told> {
  return crew.session.with(async ({ ports: { store } }) => {
    const row = await store.itemByNumber(1);
    const refused = (await store.read(refusalStream(row?.id ?? ''))).at(-1);
    const last = refused === undefined ? {} : (JSON.parse(refused.body) as { data: object }).data;
    return {
      code: error?.code ?? 'done',
      message: String(plain(error?.message ?? '', 'T-1')),
      missing: plain(error?.missing, 'T-1'),
      state: row?.state ?? '',
      recorded: error === undefined ? '' : plain(last, 'T-1'),
    };
  });
}

interface Cell extends Caller, Tried {
  readonly name: string;
}

/** Every step as every caller; of the cells a share is enough for every day, another one in each state, and what leads on there. */
const cells = (state: State): readonly Cell[] =>
  Object.entries(CALLERS)
    .flatMap(([who, caller]) =>
      Object.entries(TRIED).map(([what, tried]) => ({ ...caller, ...tried, name: `${what} by ${who}` })),
    )
    .filter(
      ({ name }, n) =>
        (n + STATES.indexOf(state)) % runs(8, 1) === 0 || name === `${STEPS[state][0] ?? 'start'} by lead`,
    );

async function typed({ actor, session, line }: Cell): Promise<Told> {
  const { code, error } = await crew.say(crew.code, actor, '', ...line(session));
  return told(code === 0 ? undefined : (error as Partial<Told>));
}

async function called({ actor, session, tool, input, ownWord }: Cell): Promise<Told> {
  const named = ownWord ? {} : { session };
  const of = tool === 'lease' ? {} : { task_id: TASK };
  const at = tool === 'task_step' ? { cwd: crew.code } : {};
  const { isError, data } = await calls(actor, tool, { ...named, ...of, ...at, ...input });
  return told(isError ? (data as unknown as Partial<Told>) : undefined);
}

/** Each cell is typed and then called, both in the state that the crew stands in. */
async function compared(state: State) {
  const kept = crew.session.repo.keep();
  const pairs: (readonly [string, Told, Told])[] = [];
  const tried = async (cell: Cell, face: typeof typed) => {
    const answer = await face(cell);
    if (answer.code === 'done') {
      await closed();
      kept.restore();
    }
    return answer;
  };
  try {
    for (const cell of cells(state))
      pairs.push([cell.name, await tried(cell, typed), await tried(cell, called)]);
    return pairs;
  } finally {
    kept.remove();
  }
}

/** What alone may be done in each state by whoever holds the task; everything else in the matrix is refused. */
const STEPS: Readonly<Record<State, readonly string[]>> = {
  INIT: ['classify'],
  CLASSIFIED: ['assess'],
  REQUIREMENTS: ['invoke', 'add-agent', 'reclassify'],
  SYNTHESIS: ['invoke', 'add-agent', 'reclassify', 'regather', 'acknowledge-delegation'],
  IMPLEMENTATION: ['invoke', 'add-agent', 'next-round', 'negotiate', 'merge'],
  VALIDATION: ['add-critical-agent', 'withdraw', 'negotiate', 'verify'],
  REVIEW: ['invoke', 'add-critical-agent', 'negotiate'],
  AWAITING_USER_APPROVAL: ['request-change'],
  SCOPE_NEGOTIATION: [],
  COMPLETE: ['land'],
  CLEANUP: ['tidy'],
  CANCELLED: ['tidy'],
};

/** To look at a task, and to hold what nobody holds, is anybody's; and the checks of a claim are any coordinator's. */
function allowed(state: State): readonly string[] {
  const isOver = state === 'CLEANUP' || state === 'CANCELLED';
  const own = [
    ...STEPS[state],
    'start',
    'release of the task',
    'beat of the task',
    ...(isOver ? [] : ['stop']),
  ];
  return [
    ...own.map((name) => `${name} by lead`),
    ...Object.keys(CALLERS).flatMap((who) => [`check by ${who}`, `take of main by ${who}`]),
    ...(state === 'VALIDATION' ? ['verify by lead of another session'] : []),
  ];
}

const STATES = [
  ...['INIT', 'CLASSIFIED', 'REQUIREMENTS', 'SYNTHESIS', 'IMPLEMENTATION', 'VALIDATION', 'REVIEW'],
  ...['AWAITING_USER_APPROVAL', 'SCOPE_NEGOTIATION', 'COMPLETE', 'CLEANUP', 'CANCELLED'],
] as const;
type State = (typeof STATES)[number];

async function bring(state: State): Promise<void> {
  const ways: Partial<Record<State, State>> = {
    SCOPE_NEGOTIATION: 'IMPLEMENTATION',
    CANCELLED: 'CLASSIFIED',
  };
  crew = await crewAt(ways[state] ?? state);
  await crew.session.register('bystander', []);
  if (state === 'SCOPE_NEGOTIATION')
    await crew.go('task', 'negotiate', TASK, '--reason', 'it needs a calendar');
  if (state === 'CANCELLED') await crew.decides('cancel', 'not any more');
}

describe('J02: the same answer on the command line and through MCP', () => {
  test.each(STATES)('PROTO-22, PROTO-97: in %s', async (state) => {
    await bring(state);
    const pairs = await compared(state);
    for (const [what, byLine, byTool] of pairs) expect([what, byTool]).toEqual([what, byLine]);
    const done = pairs.flatMap(([what, { code }]) => (code === 'done' ? [what] : []));
    const wanted = allowed(state).filter((name) => pairs.some(([what]) => what === name));
    expect(done.toSorted()).toEqual(wanted.toSorted());
    // A matrix in which nothing ever succeeds would show nothing.
    expect(done.length).toBeGreaterThan(0);
  });
});

import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Hands, handsOf } from '../journeys/staged-hands.ts';
import type { Answered } from '../mcp/in-memory.ts';
import type { Spoken } from '../mcp/stdio.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { AGENTS, REPORT } from './crew.ts';
import { commits, DONE, PLANNED, TASK } from './walk.ts';

// An agent that knows nothing but its tool does what each reply tells it, and comes to the end (PROTO-23). What it thinks
// of its own is the content: a report, a plan, code, a risk. What the reply gives to a person is done by a person.
let program: Program;
let w: Hands;
beforeAll(() => {
  program = buildProgram();
});
afterEach(() => w.stop());

const KNOWN: Readonly<Record<string, string>> = {
  ...{ RISK: 'MEDIUM', 'A,B': AGENTS.join(','), WHY: 'src/dates.js', SESSION: 's-1' },
};

/** What is done beside the tool, where the reply says at which path. */
function works(path: string): void {
  const agent = /agents\/([a-z]+)\/code/.exec(path)?.[1];
  if (agent !== undefined)
    commits(
      w,
      agent,
      agent === 'architect' ? { 'work.txt': 'done\n', 'todo.md': DONE } : { [`${agent}.js`]: '1;\n' },
    );
  const reporter = /-([a-z]+)-requirements\.md/.exec(path)?.[1];
  if (reporter !== undefined) w.write(path, REPORT(reporter));
  if (path.endsWith('/task.md')) w.write(path, PLANNED());
}

const LIMIT = 80;
const ended = async () => {
  const { data } = await w.say(w.session.repo.top, '', '', 'show', 'T-1');
  expect(data.status).toBe('CLEANUP');
  expect(w.git(w.session.repo.top, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(w.git(w.session.repo.top, 'ls-tree', '--name-only', 'main')).toContain('work.txt');
  expect((await w.text(w.session.repo.top, '', '', 'audit', 'verify')).out).toContain('clean');
};

interface Named {
  readonly by: string;
  readonly path?: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

describe('a whole way by replies alone', () => {
  test('PROTO-23: through MCP, each actor by a server of its own', async () => {
    w = await handsOf(program);
    const servers = new Map<string, Spoken>();
    const server = async (actor: string) => {
      const known = servers.get(actor) ?? (await w.mcp(actor));
      servers.set(actor, known);
      return known;
    };
    const does = async (
      actor: string,
      { tool = '', arguments: given = {}, path = '' }: Named,
    ): Promise<Answered> => {
      works(path);
      const filled = Object.entries(given).map(([name, value]) => [name, KNOWN[String(value)] ?? value]);
      const answer = await (await server(actor)).call(tool, Object.fromEntries(filled));
      expect([actor, tool, answer.isError ? answer.text : '']).toEqual([actor, tool, '']);
      return answer;
    };
    const looks = async (actor: string) =>
      (await server(actor)).call('task_show', { task_id: TASK, session: 's-1' });
    const first = await (await server('lead')).call('next', {});
    let [call] = first.data.begin as readonly Named[];
    const told: string[] = [];
    for (let n = 0; n < LIMIT && call !== undefined; n++) {
      told.push(`${call.by} ${call.tool ?? call.run}`);
      if (told.length > 1 && call.tool === 'task_list') break;
      if (call.by === 'a person at a terminal') {
        expect((await w.person(...String(call.run).split(' ').slice(1))).code).toBe(0);
        [call] = (await looks('lead')).data.next as unknown as readonly Named[];
        continue;
      }
      if (call.by === 'you') {
        [call] = (await does('lead', call)).data.next as unknown as readonly Named[];
        continue;
      }
      // An agent that was called asks for itself; whoever coordinates then looks again.
      const agent = call.by;
      const [own] = (await looks(agent)).data.next as unknown as readonly Named[];
      expect([agent, own?.by]).toEqual([agent, 'you']);
      await does(agent, own as Named);
      [call] = (await looks('lead')).data.next as unknown as readonly Named[];
    }
    expect(told.at(-1), told.join('\n')).toBe('you task_list');
    expect(told.filter((line) => line.startsWith('a person'))).toHaveLength(2);
    await ended();
  });

  test('PROTO-23: on the command line, each command a process of its own', async () => {
    w = await handsOf(program);
    let from = w.session.repo.top;
    let line = 'next: countersign --actor lead task --session SESSION list';
    const told: string[] = [];
    do {
      const { by, before, command } = readLine(line);
      from = standsAt(before) ?? from;
      for (const one of before) works(/\((\/.*)\)/.exec(one)?.[1] ?? '');
      told.push(command);
      line = await typed(from, by, command);
    } while (told.length < LIMIT && !readLine(line).command.endsWith(' list'));
    expect(line, told.join('\n')).toMatch(/task --session s-1 list$/);
    await ended();
  });
});

/** Words as a shell takes them, with what only the agent knows in place of what stands in capitals. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    .map(([, a, b, c = '']) => a ?? b ?? c)
    .map((word) => KNOWN[word] ?? word);

/** The first line of an answer that leads on. */
function readLine(line: string) {
  const [, by = '', said = ''] = /^next(?: \(([^)]*)\))?: (.*)$/.exec(line) ?? [];
  const steps = said.split('; then ');
  return { by, before: steps.slice(0, -1), command: steps.at(-1) ?? '' };
}

function standsAt(before: readonly string[]): string | undefined {
  const stand = before.flatMap((one) => /(?:^|; )cd (.*)$/.exec(one)?.[1] ?? []).at(-1);
  return stand === undefined ? undefined : words(stand).join(' ');
}

/** Types a command as whoever it is for, and answers the line that leads on. */
async function typed(from: string, by: string, command: string): Promise<string> {
  const line = words(command).slice(1);
  const answer =
    by === 'a person at a terminal' ? await w.person(...line) : await w.text(from, '', '', ...line);
  expect([command, answer.code === 0 ? '' : `${answer.out}${answer.err}`]).toEqual([command, '']);
  const next = answer.out.split(/\r?\n/).find((one) => one.startsWith('next')) ?? '';
  expect([command, next === '' ? answer.out : '']).toEqual([command, '']);
  return next;
}

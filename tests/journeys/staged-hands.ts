import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Program } from '../cli/program.ts';
import { type Spoken, speakTo } from '../mcp/stdio.ts';
import type { Said, Told } from '../session.ts';
import { type Crew, openCrew, REPORT } from '../staged/crew.ts';
import { type HooksOfCrew, hooksOf } from '../staged/hooked.ts';
import { TASK } from '../staged/walk.ts';
import { type Ended, ended, inTerminal } from '../terminal.ts';

/** A crew whose every command is a process of its own, and whose person types at a terminal of their own. */
export interface Hands extends Crew {
  readonly program: Program;
  readonly hooks: HooksOfCrew;
  /** The person of the machine, who reads the screen and types the code that it shows. */
  person(...words: readonly string[]): Promise<Ended>;
  /** The person leaves the question of a command unanswered. */
  declines(...words: readonly string[]): Promise<Ended>;
  /** A server of its own for an actor, and the official client. */
  mcp(actor: string): Promise<Spoken>;
  /** The same crew by commands in this process, whose clock can be set. */
  readonly inside: Crew;
  stop(): Promise<void>;
}

const SESSION_OF: ReadonlySet<string> = new Set(['task', 'lease', 'gate']);

export async function handsOf(
  program: Program,
  options: Parameters<typeof openCrew>[0] = {},
): Promise<Hands> {
  const inside = await openCrew(options);
  const { session, code, tasks } = inside;
  // What was set up is an hour old, so that the processes come after it by their own clock.
  session.at(new Date(Date.now() - 3_600_000).toISOString());
  const servers: Spoken[] = [];
  const line = (actor: string, id: string, words: readonly string[]) => [
    ...(actor === '' ? [] : ['--actor', actor]),
    ...(id !== '' && SESSION_OF.has(words[0] ?? '')
      ? [words[0] ?? '', '--session', id, ...words.slice(1)]
      : words),
  ];
  const run = (from: string, words: readonly string[]) =>
    ended(
      spawn('setsid', ['-w', process.execPath, program.path, ...words], {
        cwd: from,
        env: session.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  const say: Crew['say'] = async (from, actor, id, ...words) => {
    const told = await run(from, ['--json', ...line(actor, id, words)]);
    return { ...told, code: told.code ?? -1, ...(JSON.parse(told.out) as Pick<Said, 'data' | 'error'>) };
  };
  const text: Crew['text'] = async (from, actor, id, ...words) => {
    const told = await run(from, line(actor, id, words));
    return { ...told, code: told.code ?? -1 } as Told;
  };
  const person: Hands['person'] = (...words) => inTerminal(program, session, words, (shown) => `${shown}\n`);
  const decided = async (...words: readonly string[]) => {
    const { code: exit, out } = await person(...words);
    if (exit !== 0) throw new Error(`${words.join(' ')} ended with ${exit}: ${out}`);
    return { kind: 'done' } as const;
  };
  return {
    ...inside,
    inside,
    program,
    say,
    text,
    person,
    hooks: hooksOf(program, inside),
    declines: (...words) => inTerminal(program, session, words, () => '\u0003'),
    go: (...words) => say(code, 'lead', 's-1', ...words),
    async reports(agent, report = REPORT(agent)) {
      inside.write(join(tasks, TASK, `${TASK}-${agent}-requirements.md`), report);
      return say(code, agent, '', 'task', 'status', TASK, 'COMPLETE');
    },
    approves: () => decided('task', 'approve', TASK),
    decides: (command, reason) => decided('task', command, TASK, '--reason', reason),
    async resumes(id) {
      await say(session.repo.top, 'lead', id, 'task', 'check', TASK);
      await decided('task', '--session', id, 'start', TASK, '--choose', 'resume');
    },
    async mcp(actor) {
      const server = await speakTo(program, session.repo.top, session.env, [
        ...['--actor', actor, '--profile', 'staged'],
      ]);
      servers.push(server);
      return server;
    },
    async stop() {
      for (const { close } of servers.splice(0)) await close();
      inside.close();
    },
  };
}

/** What a gate says of a step, judged and not acted on. */
export async function gateOf(hands: Crew, command = ''): Promise<readonly string[]> {
  const { data } = await hands.go('task', 'gate', TASK, ...(command === '' ? [] : [command]));
  const { points } = data as unknown as { points: readonly { name: string; passed: boolean }[] };
  return points.filter(({ passed }) => !passed).map(({ name }) => name);
}

/** All that a refusal says of what is missing. */
export const lacks = ({ error }: Said): string =>
  [error.message, error.hint, ...(error.missing ?? []).map(({ because, fix }) => `${because} (${fix})`)].join(
    '\n',
  );

export const stateOf = async (hands: Crew): Promise<unknown> =>
  (await hands.say(hands.session.repo.top, 'lead', 's-1', 'task', 'show', TASK)).data.state;

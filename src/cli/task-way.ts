import type { TaskCall } from '../engine/staged/task-call.ts';
import { type TaskWay, wayOn } from '../engine/staged/way-on.ts';
import { shellWord } from '../kernel/single-quoted.ts';
import type { Cli, Session } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { type Output, SCHEMA } from './print.ts';

/** One way on as it is typed, and by whom. */
interface Typed {
  readonly by: string;
  readonly before?: string;
  readonly path?: string;
  readonly run: string;
}

/** Who types it is named only where it is not the caller. */
interface Typing {
  /** What `--actor` says, '' where the surroundings say it. */
  readonly as: string;
  readonly caller: string;
  /** What `--session` has to say, '' where the surroundings say it. */
  readonly session: string;
  readonly here: string;
}

/** Words in capitals stand for something, and are typed as they are. */
const value = (text: string): string => (/^[A-Z]+ [A-Z ]+$/.test(text) ? `"${text}"` : shellWord(text));
const PLAIN_WORDS: ReadonlySet<string> = new Set(['agent', 'status']);

function lineOf({ command, given }: TaskCall, way: TaskWay, named: string): string {
  const { task, item } = way;
  if (command === 'force') return `countersign lease force ${task} --reason ${given.reason}`;
  if (command === 'verify') return `countersign verify ${item}`;
  if (command === 'list') return `countersign task${named} list`;
  if (command === 'status') return `countersign task status ${task} ${given.status}`;
  if (command === 'merge') return `countersign task${named} merge ${task} ${given.agent}`;
  const options = Object.entries(given).map(([name, text]) =>
    PLAIN_WORDS.has(name) ? `--${name} ${text}` : `--${name} ${value(text)}`,
  );
  return [`countersign task${named} ${command} ${task}`, ...options].join(' ');
}

function typedOf(call: TaskCall, way: TaskWay, { as, caller, session, here }: Typing): Typed {
  const leads = call.by === 'coordinator';
  const who = leads ? way.holder : call.by;
  const isOwn = who === caller || (leads && who === '');
  const line = lineOf(call, way, leads && session !== '' ? ` --session ${session}` : '');
  const stands = leads && isOwn && here !== way.code && !ANYWHERE.has(call.command);
  const before = [call.before, stands ? `cd ${shellWord(way.code)}` : ''].filter((one) => one !== '');
  return {
    by: isOwn ? 'you' : call.by === 'person' ? 'a person at a terminal' : who,
    ...(before.length === 0 ? {} : { before: before.join('; ') }),
    ...(call.path === '' ? {} : { path: call.path }),
    run: call.by === 'person' ? line : asActor(line, isOwn ? as : who),
  };
}

const asActor = (line: string, actor: string): string =>
  actor === '' ? line : line.replace('countersign ', `countersign --actor ${actor} `);

/** Commands that may be typed anywhere. */
const ANYWHERE: ReadonlySet<string> = new Set([
  'start',
  'list',
  'check',
  'verify',
  'tidy',
  'worktrees',
  'document',
  'merge',
  'land',
]);

const textOf = ({ by, before, path, run }: Typed): string =>
  `next${by === 'you' ? '' : ` (${by})`}: ${before === undefined ? '' : `${before}${path === undefined ? '' : ` (${path})`}; then `}${run}`;

/** Answers a command on a task, and tells what leads it on from there (PROTO-23). `task`: '' for none. */
export async function leadingOn(
  cli: Cli,
  session: Session,
  { task, asked }: { readonly task: string; readonly asked: string },
  answer: (cli: Cli) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> {
  let said = '';
  const out = (text: string) => {
    said += text;
  };
  const output = Object.create(cli.output, { out: { value: out } }) as Output;
  const code = await answer(Object.create(cli, { output: { value: output } }) as Cli);
  if (said !== '') cli.output.out(await withWay(cli, session, task, asked, said));
  return code;
}

/** A task that was never begun has no way on. */
async function withWay(
  cli: Cli,
  around: Session,
  task: string,
  session: string,
  said: string,
): Promise<string> {
  const typed = await typedWay(cli, around, task, session);
  return typed === undefined ? said : added(cli, said, typed);
}

async function typedWay(
  cli: Cli,
  { ports, caller }: Session,
  task: string,
  session: string,
): Promise<readonly Typed[] | undefined> {
  const way = await wayOn(ports, caller, task, session).catch(() => undefined);
  if (way === undefined) return undefined;
  const typing = {
    ...{ as: cli.output.as, caller: caller.actor.id, here: ports.workspace.here },
    session: cli.session !== '' && cli.session === way.session ? '' : way.session || 'SESSION',
  };
  return way.calls.map((call) => typedOf(call, way, typing));
}

/** A way on as it is typed, and as it is told. */
export interface WayLine {
  readonly run: string;
  readonly line: string;
}

/** What leads a task on; undefined for an item that is none, or whose way nobody knows. */
export async function wayLines(
  cli: Cli,
  around: Session,
  task: string,
): Promise<readonly WayLine[] | undefined> {
  const typed = await typedWay(cli, around, task, cli.session);
  return typed?.map((one) => ({ run: one.run, line: textOf(one).replace(/^next(?:: | (?=\())/, '') }));
}

function added({ output }: Cli, said: string, calls: readonly Typed[]): string {
  if (!output.json)
    return [withoutNext(said), ...calls.map(textOf), ''].filter((line, n) => n > 0 || line !== '').join('\n');
  const document = JSON.parse(said) as { readonly ok: boolean; readonly data: object };
  if (!document.ok) return said;
  return `${JSON.stringify({ schema: SCHEMA, ok: true, data: { ...document.data, next: calls } })}\n`;
}

/** What the table alone would propose stands back: a task goes its way by more than its table. */
const withoutNext = (said: string): string =>
  said
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('next: countersign'))
    .join('\n');

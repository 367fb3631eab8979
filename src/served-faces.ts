import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from './attestation/digest.ts';
import { runCli } from './cli/cli.ts';
import { commandShapes } from './cli/shapes.ts';
import { earlier, keepAnswer, type Request as Once } from './engine/applied-once.ts';
import { EngineError } from './engine/engine-error.ts';
import { failureTold } from './failure-told.ts';
import { surroundingsOf } from './hook-surroundings.ts';
import { answerHook } from './hooks/hook.ts';
import { type Asked, type Moment, standIn } from './http/asked.ts';
import { calledIn } from './http/called.ts';
import type { Frame } from './http/frames.ts';
import type { Channel, Client, HookSaid, Served } from './http/served.ts';
import { isOfTheMachine, meant, OF_THE_MACHINE, onlyLooks } from './meant.ts';
import { commitsNamed } from './named-commits.ts';
import { type Standing, type Visit, type Visitor, visit } from './served-composition.ts';
import { askClient } from './served-person.ts';

/** The faces of the product as a server hands them to its clients. */
export async function facesOf(
  ground: Standing,
  opened: Served['opened'],
  version: string,
  repository: string,
) {
  const { mcpOverHttp, onlyLooks: isLook } = await import('./mcp/connection.ts');
  const mcp = mcpOverHttp(version);
  const running = new Map<string, Promise<number>>();
  const served: Served = {
    version,
    repository,
    opened,
    commands: async () => {
      shapes ??= (await commandShapes(OF_THE_MACHINE)).filter(({ words }) => !isOfTheMachine(words));
      return shapes;
    },
    async command(client, asked, channel, id) {
      const request = id === '' ? undefined : requestOf(client, asked, id);
      const key = `${client.who.name} ${id}`;
      // Sent again while it is being answered: whoever comes second hears what it came to.
      for (let first = running.get(key); first !== undefined; first = running.get(key)) await first;
      const answer = commanded(ground, opened, { client, asked, channel, request }).catch((error) =>
        told(error, asked, channel),
      );
      if (request === undefined) return answer;
      const end = answer.finally(() => running.delete(key));
      running.set(key, end);
      return end;
    },
    hook: (client, moment) => hooked(ground, client, moment),
    async mcp(client, request, profile) {
      if (client.who.kind !== 'agent')
        throw new EngineError('NO_CREDENTIAL', 'MCP is spoken by agents: show a token', '');
      const { tool, commit, files } = await calledIn(request);
      const visitor = {
        ...visitorFor(client, { ...standIn(request.headers), files }),
        about: aboutOf(commit === '' ? [] : [commit], tool === '' || isLook(tool)),
      };
      return mcp.answer(await visit(ground, visitor).open(), client.who.name, profile, request);
    },
  };
  let shapes: Awaited<ReturnType<Served['commands']>> | undefined;
  return { served, stop: () => mcp.stop() };
}

/** An event of a session, answered with what the server knows of the client's tree. */
async function hooked(ground: Standing, client: Client, moment: Moment): Promise<HookSaid> {
  const { payload, cwd, env } = moment;
  const composition = visit(ground, visitorFor(client, { cwd, folder: moment.folder }));
  const folder = mkdtempSync(join(tmpdir(), 'countersign-hook-'));
  const file = join(folder, 'variables');
  // A file that the client names is the client's to write.
  const around = { ...ground.seams.env, CLAUDE_PROJECT_DIR: '', CLAUDE_ENV_FILE: file };
  const actor = client.who.kind === 'agent' ? client.who.name : '';
  const { top } = composition.locate();
  const stands = top === ground.repo.top ? env.CLAUDE_PROJECT_DIR || cwd : top;
  const own = surroundingsOf(top, actor, around).map((one) => ({ ...one, top: stands }));
  try {
    const said = await answerHook(payload, () =>
      own.map((one) => ({ ...one, open: () => composition.open() })),
    );
    return { ...said, variables: existsSync(file) ? readFileSync(file, 'utf8') : '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Commanded {
  readonly client: Client;
  readonly asked: Asked;
  readonly channel: Channel;
  readonly request: Once | undefined;
}

async function commanded(
  ground: Standing,
  opened: Served['opened'],
  { client, asked, channel, request }: Commanded,
): Promise<number> {
  const command = meant(asked.words);
  if (isOfTheMachine(asked.words))
    throw new EngineError(
      'NOT_SERVED',
      `${command} is done on the machine of the server`,
      `there: countersign ${command}`,
    );
  const before = request === undefined ? undefined : await earlier(opened.ports, request);
  if (before?.kind === 'answered') return repeated(before.answer, channel);
  const said: Frame[] = [];
  let secret = false;
  const say = (frame: Frame) => {
    said.push(frame);
    channel.say(frame);
  };
  const visited = visit(ground, {
    ...visitorFor(client, asked),
    about: aboutOf(commitsNamed(asked.words), onlyLooks(asked.words)),
    request,
    give: {
      file: (path, content) => say({ file: { path, base64: Buffer.from(content).toString('base64') } }),
      // A secret is told once and kept nowhere, and so is an answer that may print it: everybody reads the log.
      token: (actor, token) => {
        secret = true;
        channel.say({ token: { actor, token } });
      },
    },
    ask: (question) =>
      askClient(
        { ...ground.seams, isPassphrase: opened.credentials.isPassphrase },
        client.who,
        channel,
        question,
      ),
  });
  const exit = await runCli(asked.words, visited, aroundOf(ground, client, asked, channel, say));
  if (!secret) await keep(visited, request, { said, exit });
  return exit;
}

/** Who calls and for which session is the client's to say; git is started as this user starts it. */
const aroundOf = (
  { seams }: Standing,
  { who }: Client,
  asked: Asked,
  channel: Channel,
  say: (frame: Frame) => void,
) => ({
  env: { ...seams.env, COUNTERSIGN_ACTOR: who.name, COUNTERSIGN_SESSION: asked.session },
  out: (text: string) => say({ out: text }),
  err: (text: string) => say({ err: text }),
  interactive: asked.interactive,
  color: asked.color,
  signal: channel.signal,
});

interface Answered {
  readonly said: readonly Frame[];
  readonly exit: number;
}

async function keep({ once }: Visit, request: Once | undefined, answered: Answered): Promise<void> {
  const ports = once();
  if (ports !== undefined && request !== undefined)
    await keepAnswer(ports, request, JSON.stringify(answered));
}

function repeated(answer: string, { say }: Channel): number {
  const { said, exit } = JSON.parse(answer) as Answered;
  for (const frame of said) say(frame);
  return exit;
}

/** A failure before the command. */
function told(error: unknown, { words }: Asked, { say }: Channel): number {
  const { out, err, exit } = failureTold(words, error);
  say(out === '' ? { err } : { out });
  return exit;
}

/** The commits that something is about: those that it names; else HEAD, unless it only looks at what is recorded. */
const aboutOf = (named: readonly string[], looks: boolean): readonly string[] =>
  named.length > 0 || looks ? named : ['HEAD'];

const requestOf = ({ who }: Client, { words, head, files }: Asked, id: string): Once => ({
  actor: who.name,
  id,
  digest: sha256Hex(
    JSON.stringify([words, head, [...files].map(([path, bytes]) => [path, sha256Hex(bytes)])]),
  ),
});

const visitorFor = ({ who, level }: Client, asked: Partial<Asked>): Visitor => ({
  who,
  level,
  cwd: asked.cwd ?? '',
  folder: asked.folder ?? '',
  head: asked.head ?? '',
  about: [],
  files: asked.files ?? new Map(),
  reached: asked.reached,
  give: { file: () => {}, token: () => {} },
  ask: async () => ({
    ok: false,
    code: 'no-terminal',
    because: 'nobody can be asked here',
    fix: 'A person runs the command in a terminal.',
  }),
  request: undefined,
});

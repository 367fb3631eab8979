import type { Transform } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Opened } from '../engine/composition.ts';
import type { Actor } from '../kernel/actor.ts';
import { deskOf } from './desk.ts';
import type { Hello } from './hello.ts';
import type { Profile } from './profile.ts';
import { offeredTo, offersOf } from './profiles.ts';
import { serverOf } from './server.ts';
import { messagesOnly } from './words.ts';

export { mcpOverHttp } from './over-http.ts';
export { onlyLooks } from './profiles.ts';

export interface Connected {
  readonly opened: Opened;
  /** The name that the server was started with. */
  readonly actor: string;
  readonly who: Actor;
  readonly profile: Profile;
  readonly version: string;
  /** What was answered already. */
  readonly hello: Hello | undefined;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Serves one client until its end of the pipe is closed or a signal comes; then what still runs is stopped. */
export async function connect(connected: Connected): Promise<void> {
  const { opened, actor, who, profile, version, hello, out, err, signal } = connected;
  const desk = deskOf(opened, actor, offersOf(profile, who));
  await new Promise<void>((resolve) => {
    const said = process.stdin.pipe(messagesOnly(out));
    const onerror = ({ message }: Error) => err(`countersign mcp: ${inOneLine(message)}\n`);
    const factory = () => serverOf(desk, { profile, tools: offeredTo(profile, who), version });
    const connection = serveStdio(factory, { onerror, transport: transportAfter(hello, said) });
    const end = () => {
      connection.close().then(resolve, () => resolve());
    };
    // Behind what was said last: the end of the pipe is told sooner than it.
    said.once('end', end);
    process.stdin.once('close', () => said.end());
    signal.addEventListener('abort', end, { once: true });
    if (process.stdin.readableEnded || process.stdin.destroyed) said.end();
    if (signal.aborted) end();
  });
  await desk.runs.stop();
}

/** The library hears the first words as well, for it remembers who speaks; what it answers to them was said already. */
function transportAfter(hello: Hello | undefined, said: Transform): StdioServerTransport {
  const transport = new StdioServerTransport(said);
  if (hello === undefined) return transport;
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    if (!('result' in message) || message.id !== hello.id) return send(message);
    transport.send = send;
    return Promise.resolve();
  };
  return transport;
}

/** What the library finds wrong with a message it tells as a list of many lines. */
const inOneLine = (message: string): string => message.replace(/\s+/g, ' ').slice(0, 300);

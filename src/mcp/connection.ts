import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Opened } from '../engine/composition.ts';
import type { Actor } from '../kernel/actor.ts';
import { deskOf } from './desk.ts';
import type { Hello } from './hello.ts';
import type { Profile } from './profile.ts';
import { offeredTo, offersOf } from './profiles.ts';
import { serverOf } from './server.ts';

export interface Connected {
  readonly opened: Opened;
  /** The name that the server was started with. */
  readonly actor: string;
  readonly who: Actor;
  readonly profile: Profile;
  readonly version: string;
  /** What was answered already. */
  readonly hello: Hello | undefined;
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Serves one client until its end of the pipe is closed or a signal comes; then what still runs is stopped. */
export async function connect(connected: Connected): Promise<void> {
  const { opened, actor, who, profile, version, hello, err, signal } = connected;
  const desk = deskOf(opened, actor, offersOf(profile, who));
  await new Promise<void>((resolve) => {
    const onerror = ({ message }: Error) => err(`countersign mcp: ${message}\n`);
    const factory = () => serverOf(desk, { profile, tools: offeredTo(profile, who), version });
    const connection = serveStdio(factory, { onerror, transport: transportAfter(hello) });
    const end = () => {
      connection.close().then(resolve, () => resolve());
    };
    process.stdin.once('end', end).once('close', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted || process.stdin.readableEnded || process.stdin.destroyed) end();
  });
  await desk.runs.stop();
}

/** The library hears the first words as well, for it remembers who speaks; what it answers to them was said already. */
function transportAfter(hello: Hello | undefined): StdioServerTransport {
  const transport = new StdioServerTransport();
  if (hello === undefined) return transport;
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    if (!('result' in message) || message.id !== hello.id) return send(message);
    transport.send = send;
    return Promise.resolve();
  };
  return transport;
}

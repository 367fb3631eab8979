import { jsonIn } from '../json-in.ts';
import { BROUGHT, STAND } from '../stand.ts';
import type { Address } from './address.ts';
import { linesOf, noServer, send } from './exchange.ts';

type Message = { readonly [name: string]: unknown };

/** Where the client works: its folder, its HEAD, what commits are called there, and what is in its files. */
export interface Stand {
  readonly cwd: string;
  readonly folder: string;
  readonly head: () => string;
  readonly commitId: (name: string) => string;
  /** Those of the names that are files there, in base64 by path. Throws BAD_INPUT. */
  readonly files: (names: readonly string[]) => { readonly [path: string]: string };
}

/**
 * MCP over pipes for a client whose server is elsewhere: each message goes there as a request of its own, and what comes back
 * is written out. Messages are sent at once; the answers come as they are ready. Ends with the input.
 */
export async function relayMcp(
  address: Address,
  { profile, authorization, stand }: Omit<Said, 'version'>,
  input: AsyncIterable<Buffer>,
  out: (line: string) => void,
): Promise<void> {
  const under: Promise<void>[] = [];
  let version = '';
  for await (const line of linesOf(input)) {
    const message = messageOf(line);
    if (message === undefined) {
      out(failure(null, -32700, 'this is no message of MCP'));
      continue;
    }
    version = asked(message) || version;
    const relayed = relay(address, { profile, authorization, stand, version }, line, message, out);
    // What comes after the first words depends on them.
    if (message.method === 'initialize') await relayed;
    under.push(relayed);
  }
  await Promise.all(under);
}

interface Said {
  readonly profile: string;
  readonly authorization: string;
  readonly stand: Stand;
  readonly version: string;
}

async function relay(
  address: Address,
  { profile, authorization, stand, version }: Said,
  line: string,
  message: Message,
  out: (line: string) => void,
): Promise<void> {
  try {
    const isCall = message.method === 'tools/call';
    const body = isCall ? asMeantHere(line, message, stand) : line;
    const headers = {
      ...(isCall
        ? {
            [STAND.cwd]: encodeURIComponent(stand.cwd),
            [STAND.folder]: stand.folder,
            [STAND.head]: stand.head(),
          }
        : {}),
      authorization,
      accept: 'application/json, text/event-stream',
      ...(version === '' ? {} : { 'mcp-protocol-version': version }),
      ...standardHeaders(message),
    };
    const answer = await send(address, { method: 'POST', path: `/mcp/${profile}`, headers, body });
    const type = answer.headers['content-type'] ?? '';
    const isStream = /text\/event-stream/.test(type);
    for await (const text of linesOf(ended(answer))) {
      const data = isStream ? dataOf(text) : text.trim();
      if (data === '') continue;
      if (!isStream && !/json/.test(type)) throw noServer(address.url, answer.statusCode);
      out(messageIn(data, message.id));
    }
  } catch (error) {
    if ('id' in message) out(failure(message.id, -32001, toldIn(error as Error)));
  }
}

interface Params {
  readonly arguments?: { readonly commit?: unknown; readonly evidence?: unknown; readonly file?: unknown };
  readonly _meta?: object;
}

/**
 * A call with the id of the commit that it names, which may be called otherwise at the server, and with the files that it
 * names, which may hold something else there.
 */
function asMeantHere(line: string, message: Message, { commitId, files }: Stand): string {
  const params = (message.params ?? {}) as Params;
  const { commit, evidence, file } = params.arguments ?? {};
  const named = [evidence, file].flat().filter((name) => typeof name === 'string');
  const brought = files(named);
  const isNamed = typeof commit === 'string';
  const hasFiles = Object.keys(brought).length > 0;
  if (!isNamed && !hasFiles) return line;
  const given = {
    ...params,
    ...(isNamed ? { arguments: { ...params.arguments, commit: commitId(commit) } } : {}),
    ...(hasFiles ? { _meta: { ...params._meta, [BROUGHT]: brought } } : {}),
  };
  return JSON.stringify({ ...message, params: given });
}

/** The data of a line of an event stream, '' where it has none. */
const dataOf = (line: string): string => /^data: ?(.+)$/.exec(line)?.[1]?.trim() ?? '';

/** A message as it came; what is none, or is about no message, is why the server did not hear this one. */
function messageIn(data: string, id: unknown): string {
  const told = messageOf(data);
  if (told?.jsonrpc === undefined) return failure(id, -32001, refusal(data));
  const { code, message } = (told.error ?? {}) as { code?: unknown; message?: unknown };
  return told.id === null && typeof code === 'number' ? failure(id, code, String(message)) : `${data}\n`;
}

/** The last line has no end of its own. */
async function* ended(answer: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* answer;
  yield Buffer.from('\n');
}

/** Headers that the generation of 2026 wants beside the body. */
function standardHeaders({ method, params }: Message): { readonly [name: string]: string } {
  if (typeof method !== 'string') return {};
  const { name, uri } = (params ?? {}) as { name?: unknown; uri?: unknown };
  const about = typeof name === 'string' ? name : typeof uri === 'string' ? uri : '';
  return { 'mcp-method': method, ...(about === '' ? {} : { 'mcp-name': encoded(about) }) };
}

/** A header carries ASCII; what is more is written as the standard says. */
const encoded = (text: string): string =>
  /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** The generation that a message is of, '' where it does not say. */
function asked({ method, params }: Message): string {
  const { protocolVersion, _meta } = (params ?? {}) as {
    protocolVersion?: unknown;
    _meta?: { readonly [name: string]: unknown };
  };
  const named =
    method === 'initialize' ? protocolVersion : _meta?.['io.modelcontextprotocol/protocolVersion'];
  return typeof named === 'string' ? named : '';
}

function messageOf(line: string): Message | undefined {
  const value = jsonIn(line);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Message)
    : undefined;
}

const refusal = (data: string): string => {
  const error = messageOf(data)?.error as { message?: string; hint?: string } | undefined;
  return error?.message === undefined ? data.slice(0, 300) : `${error.message}; next: ${error.hint ?? ''}`;
};

const toldIn = ({ message, hint = '' }: Error & { readonly hint?: string }): string =>
  hint === '' ? message : `${message}; next: ${hint}`;

const failure = (id: unknown, code: number, message: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })}\n`;

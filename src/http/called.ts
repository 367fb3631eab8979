import { type Asked, filesIn } from './asked.ts';
import { jsonIn } from './json-in.ts';
import { BROUGHT } from './stand.ts';

/** What a message of MCP calls, and what its client sent along. */
export interface Called extends Pick<Asked, 'files'> {
  /** The tool, '' where it calls none. */
  readonly tool: string;
  /** The commit that it names, '' for none. */
  readonly commit: string;
}

const NOTHING: Called = { tool: '', commit: '', files: new Map() };

interface Message {
  readonly method?: unknown;
  readonly params?: unknown;
}

interface Params {
  readonly name?: unknown;
  readonly arguments?: { readonly commit?: unknown };
  readonly _meta?: { readonly [name: string]: unknown };
}

/** Reads a copy: whoever answers reads the message itself, and says what is wrong with it. Throws BAD_INPUT for files. */
export async function calledIn(request: Request): Promise<Called> {
  const message = jsonIn(await request.clone().text()) as Message | null | undefined;
  if (message?.method !== 'tools/call') return NOTHING;
  const { name, arguments: given, _meta } = (message.params ?? {}) as Params;
  return { tool: textIn(name), commit: textIn(given?.commit), files: filesIn(_meta?.[BROUGHT]) };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

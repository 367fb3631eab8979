import type { Readable } from 'node:stream';
import { instructionsFor } from './instructions.ts';
import type { Profile } from './profile.ts';

/** The first words of a client, answered before all that serves its calls has been loaded. */
export interface Hello {
  readonly id: string | number;
}

export const serverInfo = (version: string) => ({ name: 'countersign', title: 'Countersign', version });

/** Revisions of the first generation that are answered at once; the library answers the others. */
const REVISIONS = new Set(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
const FIXED = { listChanged: false };
/** Nobody is told of a list that changes: what is offered stays until the server or the credential is another. */
export const CAPABILITIES = { tools: FIXED, resources: FIXED, prompts: FIXED };
/** A client speaks first, and mostly has spoken by then. */
const WAIT_MS = 10;

/**
 * Answers `initialize` where it is there already and of the plainest form, in the words of the library; whatever else a
 * client says first is left to it. Nothing is taken from the stream: the library reads the same words again.
 */
export async function greet(
  stdin: Readable,
  out: (text: string) => void,
  { version, profile }: { readonly version: string; readonly profile: Profile },
): Promise<Hello | undefined> {
  const chunk = await firstChunk(stdin);
  if (chunk === undefined) return undefined;
  const asked = plainInitialize(chunk.toString('utf8').split('\n', 2));
  if (asked === undefined) return undefined;
  const { id, protocolVersion } = asked;
  const said = {
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(version),
    instructions: instructionsFor(profile),
  };
  out(`${JSON.stringify({ result: { protocolVersion, ...said }, jsonrpc: '2.0', id })}\n`);
  return { id };
}

/** What comes first; it stays in the stream. Undefined where nothing comes soon. */
function firstChunk(stdin: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const settle = (chunk?: Buffer) => {
      clearTimeout(timer);
      stdin.off('readable', onReadable);
      resolve(chunk);
    };
    const onReadable = () => {
      const chunk = stdin.read() as Buffer | null;
      // At once: of what is empty for a moment, the end would be told.
      if (chunk !== null) stdin.unshift(chunk);
      settle(chunk ?? undefined);
    };
    const timer = setTimeout(() => settle(), WAIT_MS);
    stdin.on('readable', onReadable);
  });
}

type Fields = { readonly [name: string]: unknown };

/** The request in the first of these lines; undefined where it is not whole, or anything about it is unusual. */
function plainInitialize([line = '', rest]: readonly string[]) {
  if (rest === undefined) return undefined;
  const message = fieldsOf(parsed(line));
  const { id, jsonrpc, method, params } = message;
  if (!hasOnly(message, ['id', 'jsonrpc', 'method', 'params'])) return undefined;
  if (jsonrpc !== '2.0' || method !== 'initialize') return undefined;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  const given = fieldsOf(params);
  if (!hasOnly(given, ['protocolVersion', 'capabilities', 'clientInfo'])) return undefined;
  const { protocolVersion, capabilities, clientInfo } = given;
  if (typeof protocolVersion !== 'string' || !REVISIONS.has(protocolVersion)) return undefined;
  if (!isPlainClient(clientInfo) || !arePlainCapabilities(capabilities)) return undefined;
  return { id: id as string | number, protocolVersion };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The fields of a plain object; none of anything else. */
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const hasOnly = (fields: Fields, names: readonly string[]) =>
  Object.keys(fields).every((name) => names.includes(name));

function isPlainClient(value: unknown): boolean {
  const fields = fieldsOf(value);
  const { name, version } = fields;
  if (typeof name !== 'string' || typeof version !== 'string') return false;
  const known = ['name', 'version', 'title', 'description', 'websiteUrl'];
  return hasOnly(fields, known) && Object.values(fields).every((field) => typeof field === 'string');
}

/** What clients offer of which nothing is used here: for each, what may stand below it. */
const OFFERED: { readonly [name: string]: readonly string[] } = {
  roots: [],
  sampling: ['context', 'tools'],
  elicitation: ['form', 'url'],
};

function arePlainCapabilities(value: unknown): boolean {
  if (!isObject(value) || !hasOnly(fieldsOf(value), Object.keys(OFFERED))) return false;
  return Object.entries(fieldsOf(value)).every(([name, offer]) => {
    if (!isObject(offer)) return false;
    const { listChanged, ...below } = fieldsOf(offer);
    if (listChanged !== undefined && (name !== 'roots' || typeof listChanged !== 'boolean')) return false;
    return hasOnly(below, OFFERED[name] ?? []) && Object.values(below).every(isEmpty);
  });
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown) => isObject(value) && Object.keys(fieldsOf(value)).length === 0;

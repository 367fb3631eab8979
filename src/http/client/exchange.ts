import { type IncomingMessage, request as plain, type RequestOptions } from 'node:http';
import { request as secure } from 'node:https';
import { EngineError } from '../../engine/engine-error.ts';
import { jsonIn } from '../json-in.ts';
import type { Address } from './address.ts';

export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request; the answer is read by whoever asked. Throws UNREACHABLE where there is none. */
export function send(
  address: Address,
  { method, path, headers, body, signal }: Sent,
): Promise<IncomingMessage> {
  const { protocol, hostname, port, socket } = address;
  const where: RequestOptions = socket === '' ? { hostname, port } : { socketPath: socket, hostname };
  const length = Buffer.byteLength(body);
  const options: RequestOptions = {
    ...where,
    method,
    path,
    signal,
    headers: {
      ...headers,
      ...(method === 'POST' ? { 'content-length': length, ...JSON_BODY(headers) } : {}),
    },
  };
  return new Promise((resolve, reject) => {
    const sent = (protocol === 'https:' ? secure : plain)(options, resolve);
    sent.on('error', (cause) => reject(unreachable(address, cause)));
    sent.end(body);
  });
}

const JSON_BODY = (headers: Sent['headers']) =>
  'content-type' in headers ? {} : { 'content-type': 'application/json' };

/** A server is there, and this machine does not trust its certificate. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

export function unreachable({ url }: Pick<Address, 'url'>, cause: Error & { code?: string }): EngineError {
  const why = cause.code ?? cause.message;
  const [says, hint] = UNTRUSTED.test(why)
    ? [
        'shows a certificate that is not trusted here',
        'trust who signed it, and name it as it is named there: NODE_EXTRA_CA_CERTS=FILE.pem countersign …',
      ]
    : ['does not answer', 'start it: countersign serve; or work without it: countersign disconnect'];
  return new EngineError('UNREACHABLE', `the server at ${url} ${says} (${why})`, hint, { cause });
}

/** The whole of an answer. */
export async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** The fields of an answer of a server. Throws UNREACHABLE where somebody else answers in its place. */
export async function fieldsOf(
  { url }: Pick<Address, 'url'>,
  answer: IncomingMessage,
): Promise<{ readonly [name: string]: unknown }> {
  const fields = jsonIn(await textOf(answer));
  if (typeof fields === 'object' && fields !== null) return { ...fields };
  throw noServer(url, answer.statusCode);
}

export const noServer = (url: string, status = 0): EngineError =>
  new EngineError(
    'UNREACHABLE',
    `what answers at ${url} is no server of Countersign (status ${status})`,
    'start it: countersign serve; or name its address: countersign connect URL',
  );

/** The lines of an answer as they come; a last one that was cut off does not count. */
export async function* linesOf(answer: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of answer) {
    rest = Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
      if (line !== '') yield line;
    }
  }
}

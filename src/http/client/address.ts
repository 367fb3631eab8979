import { EngineError } from '../../engine/engine-error.ts';

/** Where a server is. */
export interface Address {
  /** As a person writes it. */
  readonly url: string;
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: number;
  /** Path of a socket of this machine, '' for none. */
  readonly socket: string;
}

/** `http://host:port`, `https://…`, or `unix:/path/of/a/socket`. Throws BAD_INPUT. */
export function addressOf(url: string): Address {
  const socket = /^unix:(\/.+)$/.exec(url)?.[1];
  if (socket !== undefined) return { url, protocol: 'http:', hostname: 'localhost', port: 0, socket };
  if (!URL.canParse(url)) throw bad(url);
  const { protocol, hostname, port, pathname, search, username } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw bad(url);
  if (pathname !== '/' || search !== '' || username !== '') throw bad(url);
  const usual = protocol === 'http:' ? 80 : 443;
  const name = hostname.replace(/^\[|\]$/g, '');
  return { url, protocol, hostname: name, port: port === '' ? usual : Number(port), socket: '' };
}

const bad = (url: string) =>
  new EngineError(
    'BAD_INPUT',
    `${url} is no address of a server`,
    'such as http://127.0.0.1:8137 or unix:/path',
  );

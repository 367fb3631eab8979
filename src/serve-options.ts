import { parseArgs } from 'node:util';
import { EngineError } from './engine/engine-error.ts';
import { isLoopback } from './http/peer.ts';

export interface ServeOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Path of a socket instead, '' for none. */
  readonly socket: string;
  /** Further names that requests may be addressed to. */
  readonly names: readonly string[];
  readonly tlsKey: string;
  readonly tlsCert: string;
  /** Another program in front speaks TLS. */
  readonly behindProxy: boolean;
  readonly tickSeconds: number;
  /** Remote in which commits are looked for that clients speak of, '' for none. */
  readonly fetch: string;
}

const USAGE = 'countersign serve [--port 8137 | --socket PATH]';

/** What the words of `serve` ask for. Throws BAD_INPUT. */
export function serveOptions(words: readonly string[]): ServeOptions {
  const { values } = parsed(words);
  const options: ServeOptions = {
    host: values.host ?? '127.0.0.1',
    port: numberOf('--port', values.port ?? '8137', 0, 65_535),
    socket: values.socket ?? '',
    names: values.name ?? [],
    tlsKey: values['tls-key'] ?? '',
    tlsCert: values['tls-cert'] ?? '',
    behindProxy: values['behind-proxy'] ?? false,
    fetch: values.fetch ?? '',
    tickSeconds: numberOf('--tick', values.tick ?? '5', 1, 3_600),
  };
  if ((options.tlsKey === '') !== (options.tlsCert === ''))
    throw new EngineError('BAD_INPUT', '--tls-key and --tls-cert belong together', USAGE);
  const open = options.socket === '' && !isLoopback(options.host) && options.host !== 'localhost';
  if (open && options.tlsKey === '' && !options.behindProxy)
    throw new EngineError(
      'BAD_INPUT',
      `${options.host} can be reached from other machines, and tokens would go there in the clear`,
      'give --tls-cert and --tls-key, or --behind-proxy where another program speaks TLS',
    );
  return options;
}

function parsed(words: readonly string[]) {
  const options = {
    host: { type: 'string' },
    port: { type: 'string' },
    socket: { type: 'string' },
    name: { type: 'string', multiple: true },
    'tls-key': { type: 'string' },
    'tls-cert': { type: 'string' },
    'behind-proxy': { type: 'boolean' },
    tick: { type: 'string' },
    fetch: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...words], options, strict: true });
  } catch (cause) {
    throw new EngineError('BAD_INPUT', (cause as Error).message, USAGE, { cause });
  }
}

function numberOf(name: string, text: string, least: number, most: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new EngineError('BAD_INPUT', `${name} ${text} is no number from ${least} to ${most}`, USAGE);
}

/** The names that a server answers to, without ports. */
export type Names = ReadonlySet<string>;

export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const;

/**
 * Why a request does not come from where it says, '' where it may go on. A page in a browser of this machine can reach a
 * server here by a name of its own (DNS rebinding); its Host and Origin tell.
 */
export function foreign(request: Request, names: Names): string {
  const host = request.headers.get('host');
  const origin = request.headers.get('origin');
  if (host === null || !names.has(nameOf(host))) return `this server is not called ${host ?? 'nothing'}`;
  if (origin === null) return '';
  const from = URL.canParse(origin) ? nameOf(new URL(origin).host) : '';
  return names.has(from) ? '' : `pages of ${origin} do not call this server`;
}

/** `[::1]:80` and `localhost:80` without their ports. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

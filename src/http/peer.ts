import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** One end of a connection. */
export interface End {
  readonly address: string;
  readonly port: number;
}

/** Where the other end of a connection is. */
export interface Peer extends End {
  /** This end: one port of another machine's or user's can be the end of several connections. */
  readonly here: End;
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address);

/** Whether an address is one of this machine: who connects to an address of its own machine comes from there. */
export function isOfThisMachine(address: string): boolean {
  const wanted = bare(address);
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return isLoopback(wanted) || own.some((one) => bare(one.address) === wanted);
}

/**
 * The user that a connection within this machine comes from, as the system says; undefined where it does not tell (only Linux
 * does). Both ends count: the same port may belong to connections of several users.
 */
export function uidOf({ address, port, here }: Peer): number | undefined {
  const ends = [written({ address, port }), written(here)];
  for (const [at, table] of ['/proc/net/tcp', '/proc/net/tcp6'].entries()) {
    const uid = uidIn(
      table,
      ends.map((forms) => forms[at] ?? ''),
    );
    if (uid !== undefined) return uid;
  }
  return undefined;
}

/** A line of the table: `sl local remote state … uid`, addresses and ports in hex. */
function uidIn(table: string, [from = '', to = '']: readonly string[]): number | undefined {
  let text: string;
  try {
    text = readFileSync(table, 'utf8');
  } catch {
    return undefined;
  }
  for (const line of text.split('\n').slice(1)) {
    const [, local, remote, state, , , , uid] = line.trim().split(/\s+/);
    // 01: established.
    if (state === '01' && local === from && remote === to) return Number(uid);
  }
  return undefined;
}

const bare = (address: string): string => address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/, '');

/** An end as the tables for IPv4 and IPv6 write it, '' where it is in none: bytes stand backwards within each group of four. */
function written({ address, port }: End): readonly [string, string] {
  const at = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const known = bare(address);
  if (isIPv4(known)) {
    const hex = backwards(known.split('.').map(Number));
    return [`${hex}${at}`, `0000000000000000FFFF0000${hex}${at}`];
  }
  const groups = groupsOf(known);
  const bytes = groups.flatMap((group) => [group >> 8, group & 0xff]);
  const words = [0, 4, 8, 12].map((start) => backwards(bytes.slice(start, start + 4)));
  return ['', groups.length === 8 ? `${words.join('')}${at}` : ''];
}

const backwards = (bytes: readonly number[]): string =>
  [...bytes]
    .reverse()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [before, after] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const missing = 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const middle = after === undefined ? [] : Array<string>(Math.max(0, missing)).fill('0');
  return [...(before ?? []), ...middle, ...(after ?? [])].map((group) => Number.parseInt(group, 16));
}

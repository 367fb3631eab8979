import { readFileSync } from 'node:fs';

/** Where the other end of a connection is. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address);

/**
 * The user that a connection over the loopback of this machine comes from, as the system says; undefined where it does not
 * tell (only Linux does). Other machines have users of their own.
 */
export function uidOf({ address, port }: Peer): number | undefined {
  if (!isLoopback(address)) return undefined;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const uid = uidIn(table, port);
    if (uid !== undefined) return uid;
  }
  return undefined;
}

/** A line of the table: `sl local remote state … uid`, addresses and ports in hex. */
function uidIn(table: string, port: number): number | undefined {
  let text: string;
  try {
    text = readFileSync(table, 'utf8');
  } catch {
    return undefined;
  }
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  for (const line of text.split('\n').slice(1)) {
    const [, local = '', , state, , , , uid] = line.trim().split(/\s+/);
    // 01: established.
    if (state === '01' && local.endsWith(`:${wanted}`) && isOwnAddress(local)) return Number(uid);
  }
  return undefined;
}

/** 127.x in either form; bytes of an address stand backwards within each group of four. */
const isOwnAddress = (local: string): boolean => /7F:|^0{24}01000000:/.test(local);

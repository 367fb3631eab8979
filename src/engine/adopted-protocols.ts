import type { Protocol } from '../kernel/protocol.ts';
import type { Ports } from './ports.ts';
import type { Adopted } from './protocols.ts';
import { eventOf } from './stored.ts';

const PREFIX = 'protocol/';
const PAGE = 200;

/**
 * The protocols that items here were opened under, by name, from the log; of several versions of one the last read
 * counts, for names of states stay what they are. A few streams, found by their common beginning.
 */
export async function adoptedProtocols(ports: {
  readonly store: Pick<Ports['store'], 'heads' | 'read'>;
}): Promise<ReadonlyMap<string, Protocol>> {
  const protocols = new Map<string, Protocol>();
  for (let after = PREFIX; ; ) {
    const heads = await ports.store.heads(after, PAGE);
    const ours = heads.filter(({ stream }) => stream.startsWith(PREFIX));
    for (const { stream } of ours) {
      const [stored] = await ports.store.read(stream);
      if (stored === undefined) continue;
      const { protocol } = eventOf<Adopted>(stored);
      protocols.set(protocol.name, protocol);
    }
    after = ours.at(-1)?.stream ?? '';
    if (ours.length < PAGE) return protocols;
  }
}

import { canonicalize } from '../attestation/canonical.ts';
import { sha256Hex } from '../attestation/digest.ts';
import type { Json, ProtocolRef } from '../kernel/event.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { BUILT_IN, builtIn } from '../protocols/index.ts';
import type { Append } from '../store/store.ts';
import { EngineError } from './engine-error.ts';
import type { Ports } from './ports.ts';
import { assertProved } from './project-protocols.ts';
import { bodyOf, eventOf } from './stored.ts';

/** A protocol's text as it stands in the log. */
export interface Adopted {
  readonly type: 'protocol-adopted';
  readonly at: string;
  readonly by: string;
  readonly protocol: Protocol;
}

/** Digests of the built-in protocols by name, in the start file: computed by this very file when it was built. */
declare const __PROTOCOL_DIGESTS__: { readonly [name: string]: string };

const digests = new WeakMap<Protocol, string>(
  typeof __PROTOCOL_DIGESTS__ === 'undefined'
    ? []
    : Object.entries(BUILT_IN).flatMap(([name, protocol]): [Protocol, string][] => {
        const digest = __PROTOCOL_DIGESTS__[name];
        return digest === undefined ? [] : [[protocol, digest]];
      }),
);
/** Protocols of the log that were compared with their digest: what has a digest never changes. */
const compared = new Map<string, Protocol>();

/** Name, version and digest of a protocol; the digest goes into the item's first event and is pinned for life. */
export function refOf(protocol: Protocol): ProtocolRef {
  let digest = digests.get(protocol);
  if (digest === undefined) {
    digest = sha256Hex(canonicalize(protocol as unknown as Json));
    digests.set(protocol, digest);
  }
  return { name: protocol.name, version: protocol.version, digest };
}

const streamOf = (ref: ProtocolRef) => `protocol/${ref.digest}`;

/**
 * The protocol that an item was opened under. Its text is in the log, so that an item of an older release is
 * still judged by its own table.
 */
export async function protocolOf(ports: Pick<Ports, 'store'>, ref: ProtocolRef): Promise<Protocol> {
  const shipped = builtIn(ref.name);
  if (shipped !== undefined && shipped.version === ref.version && refOf(shipped).digest === ref.digest)
    return shipped;
  const known = compared.get(ref.digest);
  if (known !== undefined) return known;
  const stored = (await ports.store.read(streamOf(ref)))[0];
  const protocol = stored === undefined ? undefined : eventOf<Adopted>(stored).protocol;
  if (protocol === undefined || refOf(protocol).digest !== ref.digest) {
    throw new EngineError(
      'UNKNOWN_PROTOCOL',
      `the protocol ${ref.name} ${ref.version} of this item is not in the log`,
    );
  }
  compared.set(ref.digest, protocol);
  return protocol;
}

/** The write that keeps a protocol's text in the log; empty when it is there already. */
export async function adoption(
  ports: Ports,
  protocol: Protocol,
  by: string,
  command: string,
): Promise<readonly Append[]> {
  const stream = streamOf(refOf(protocol));
  const { version } = await ports.store.head(stream);
  if (version > 0) return [];
  await assertProved(protocol);
  const event: Adopted = { type: 'protocol-adopted', at: ports.clock().toISOString(), by, protocol };
  return [{ stream, expected: 0, bodies: [bodyOf(event, command)] }];
}

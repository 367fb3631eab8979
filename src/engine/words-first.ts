import type { World } from '../kernel/context.ts';
import { claimFacts } from './claim-facts.ts';
import { isAtGate } from './gates.ts';
import type { Handle } from './handle.ts';
import type { Given, Ports } from './ports.ts';

/**
 * The kinds of words that a claim waits for before its checks can pass. Criteria are read for it only where the claim
 * noted that they may ask for one; what cannot be read is told by the command that needs it.
 */
export async function wordsFirst(
  ports: Ports,
  handle: Handle,
  world: World,
): Promise<readonly Given['kind'][]> {
  if (!isAtGate(handle) || claimFacts(handle).voices !== true) return [];
  const { awaitedBy } = await import('./awaited.ts');
  const awaited = await awaitedBy(ports, handle, world).catch(() => []);
  return [...new Set(awaited.map(({ kind }) => kind))];
}

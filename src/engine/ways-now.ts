import type { Actor } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import type { Option } from '../kernel/guidance.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';
import { waysOn } from './ways.ts';

/** Every way on as one actor sees it; of a phase, those that its caps leave, which no table knows. */
export async function waysNow(
  ports: Ports,
  handle: Handle,
  actor: Actor,
  world: World,
): Promise<readonly Option[]> {
  const ways = waysOn(handle, actor, world);
  const { rounds = 0, cost = 0 } = (handle.item.facts.phases ?? {}) as {
    readonly rounds?: number;
    readonly cost?: number;
  };
  if (handle.protocol.name !== 'phase' || (rounds === 0 && cost === 0)) return ways;
  return (await import('./phases/caps.ts')).waysWithin(ports, handle, actor, ways);
}

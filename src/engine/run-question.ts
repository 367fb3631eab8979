import type { World } from '../kernel/context.ts';
import { acceptanceBytes, isAcceptanceIndependent } from './acceptance.ts';
import { claimFacts } from './claim-facts.ts';
import { givenOn } from './given.ts';
import type { Handle } from './handle.ts';
import type { Ports, RunQuestion } from './ports.ts';

/** What the runner is asked about a claim: only what the log says of it, nothing that came with the request. */
export function questionOf(
  ports: Ports,
  handle: Handle,
  world: World,
  criteria: Pick<RunQuestion, 'criteria' | 'criteriaPath'>,
): Omit<RunQuestion, 'signal' | 'onProgress'> {
  const { item } = handle;
  const facts = claimFacts(handle);
  return {
    ...criteria,
    item: handle.display,
    commit: String(facts.commit ?? ''),
    tree: String(facts.tree ?? ''),
    base: String(facts.base ?? ''),
    kind: item.kind,
    noChange: facts.no_change === true,
    whole: handle.protocol.name === 'goal',
    acceptance: acceptanceBytes(ports, handle),
    acceptanceIndependent: isAcceptanceIndependent(item, world),
    statements: givenOn(item, world),
    nonce: ports.random(16).toString('hex'),
  };
}

import type { World } from '../kernel/context.ts';
import { acceptanceBytes, isAcceptanceIndependent } from './acceptance.ts';
import { claimFacts } from './claim-facts.ts';
import { givenOn } from './given.ts';
import type { Handle } from './handle.ts';
import type { Ports, RunQuestion } from './ports.ts';

/** What the runner is asked about a claim: only what the log says of it, nothing that came with the request. */
export async function questionOf(
  ports: Ports,
  handle: Handle,
  world: World,
  criteria: Pick<RunQuestion, 'criteria' | 'criteriaPath'>,
): Promise<Omit<RunQuestion, 'signal' | 'onProgress'>> {
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
    variables: await variablesOf(ports, handle),
    nonce: ports.random(16).toString('hex'),
  };
}

/** The checks of a task in stages have the ports and the scratch name of the task's own working tree. */
async function variablesOf(ports: Ports, handle: Handle): Promise<Readonly<Record<string, string>>> {
  if (handle.protocol.name !== 'staged') return {};
  const [{ viewTask }, { taskNameOf }, { portVariables }] = await Promise.all([
    import('./staged/task.ts'),
    import('./staged/task-name.ts'),
    import('./staged/tree-ports.ts'),
  ]);
  const given = (await viewTask(ports, taskNameOf(handle), '')).ports.find(({ agent }) => agent === '');
  return given === undefined ? {} : portVariables(given);
}

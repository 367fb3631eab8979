import { pushRemote } from '../../workspace/remotes.ts';
import type { Composition } from '../composition.ts';
import { type Condition, ok, warn } from '../condition.ts';
import { armedAt } from './armed.ts';
import { repositoryAround } from './around.ts';

const THERE = 'whoever keeps it runs there: countersign gate-push --check';

/** Whether the remote that is pushed to has an armed gate: tried where it lies on this machine, else not to be told. */
export async function remoteGate(composition: Pick<Composition, 'locate'>): Promise<Condition> {
  const remote = pushRemote(repositoryAround(composition));
  if (remote === undefined) return ok('gate', 'no remote: nothing that lands here has to pass a gate');
  const { name, url, folder } = remote;
  if (folder === '') return warn('gate', `cannot tell from here whether ${name} (${url}) is gated`, THERE);
  const found = await armedAt(folder);
  if (found.status !== 'ok') return { ...found, says: `${name}: ${found.says}` };
  return ok(
    'gate',
    `${name} is gated: ${found.says}. Whoever may write to that folder can take the gate away`,
  );
}

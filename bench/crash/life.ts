import { claim } from '../../src/engine/claim.ts';
import { completeItem } from '../../src/engine/complete-item.ts';
import type { Outcome } from '../../src/engine/execute.ts';
import { projectChanges } from '../../src/engine/project.ts';
import { verify } from '../../src/engine/verify.ts';
import type { BenchSession } from '../scratch/repository.ts';

/** One step of an item's life, as a caller takes it. */
export interface Operation {
  readonly name: 'claim' | 'verify' | 'complete';
  readonly from: string;
  readonly to: string;
  readonly run: (session: BenchSession, id: string) => Promise<Outcome>;
}

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'claim',
    from: 'pending',
    to: 'claimed',
    run: projected(({ ports, caller }, ref) =>
      claim(ports, caller, { ref, commit: 'HEAD', evidence: ['log=work.txt'], noChange: false, reason: '' }),
    ),
  },
  {
    name: 'verify',
    from: 'claimed',
    to: 'verified',
    run: projected(async ({ ports, caller }, ref) => {
      const signal = new AbortController().signal;
      return (await verify(ports, caller, { ref, signal, onProgress: () => {} })).outcome;
    }),
  },
  {
    name: 'complete',
    from: 'verified',
    to: 'completed',
    run: projected(({ ports, caller }, ref) => completeItem(ports, caller, ref, '')),
  },
];

/** Configuration of a project that asks for every file the engine can write. */
export const PROJECTING = {
  '.countersign/config.yaml': 'projections: {todo: todo.json, proofpacks: packs}\n',
};

/** As the command line does it: after the work, the projected files are brought up to date. */
function projected(work: Operation['run']): Operation['run'] {
  return async (session, id) => {
    const outcome = await work(session, id);
    await projectChanges(session);
    return outcome;
  };
}

/** Takes an item through the steps before an operation. Throws when one is refused: nothing disturbed them. */
export async function prepare(session: BenchSession, id: string, { name }: Operation): Promise<void> {
  for (const operation of OPERATIONS) {
    if (operation.name === name) return;
    const outcome = await operation.run(session, id);
    if (outcome.kind !== 'done') throw new Error(`${operation.name} was refused: ${outcome.because}`);
  }
}

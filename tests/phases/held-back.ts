import { callerOf } from '../../src/engine/credential.ts';
import { giveBackOne, takeOne } from '../../src/engine/lease.ts';
import { roundsOf } from '../../src/engine/phases/rounds.ts';
import { SPAWN, spawnKey } from '../../src/engine/phases/spawn-job.ts';
import { phaseNamed } from '../../src/engine/phases/task-phases.ts';
import { STEP, step } from '../../src/engine/step.ts';
import type { Session } from '../session.ts';

/**
 * An agent says that it is complete; whoever took that down is gone before a reviewer is started, and somebody else, who lives,
 * has begun to start them. The phase awaits its reviewers until the answered function is called.
 */
export function heldBack(s: Session, phase: string, agent: string): Promise<() => Promise<void>> {
  return s.with(async (opened) => {
    const { ports } = opened;
    const told = { ...STEP, ref: agent, command: 'complete', reason: `${agent} built it` };
    const done = await step(ports, await callerOf(opened, agent), told);
    if (done.kind === 'refused') throw new Error(done.because);
    const round = (await roundsOf(ports, await phaseNamed(ports, phase))).at(-1);
    const taken = (round?.reviewers ?? []).map((one) => takeOne(ports, SPAWN, spawnKey(one)));
    const leases = await Promise.all(taken);
    return async () => {
      await s.with(async (later) => {
        for (const one of leases) if (one.kind === 'leased') await giveBackOne(later.ports, SPAWN, one);
      });
      await s.say('', 'tick');
    };
  });
}

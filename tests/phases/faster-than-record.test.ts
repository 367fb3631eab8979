import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentState } from '../../src/engine/agent-port.ts';
import type { Opened } from '../../src/engine/composition.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { loadById } from '../../src/engine/handle.ts';
import { linkedTo } from '../../src/engine/phases/links.ts';
import { spawnFor } from '../../src/engine/phases/spawn.ts';
import { phaseNamed } from '../../src/engine/phases/task-phases.ts';
import { STEP, step } from '../../src/engine/step.ts';
import { movesOf, why } from './beside.ts';
import { LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Deploys an agent without starting it; answers its item. */
async function deployed(opened: Opened, phase: string) {
  const { ports } = opened;
  const caller = await callerOf(opened, LEAD);
  const { id } = await phaseNamed(ports, phase);
  const outcome = await step(ports, caller, {
    ...STEP,
    ...{ ref: id, command: 'deploy', arguments: { prompt: 'Build it', agent: '' } },
  });
  return loadById(ports, linkedTo(outcome.handle, 'deployed').at(-1) ?? '');
}

/** The same engine; whoever starts an agent through it does not go on before `held` is over. */
const held = (opened: Opened, until: Promise<void>, owner: string, running: () => void): Opened => {
  const { agents, process, ...others } = opened.ports;
  const start = async (order: Parameters<typeof agents.start>[0]): Promise<AgentState> => {
    const state = await agents.start(order);
    running();
    await until;
    return state;
  };
  const ports = { ...others, agents: { ...agents, start }, process: { isAlive: process.isAlive, owner } };
  return { ...opened, ports };
};

/** Starts an agent, and holds back whoever does it before its start is on record. */
async function begun(opened: Opened, phase: string, owner: string) {
  const run = await deployed(opened, phase);
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  let started = Promise.resolve('');
  await new Promise<void>((running) => {
    started = spawnFor(held(opened, until, owner, running), run);
  });
  return { run, release, started };
}

describe('an agent that is faster than the record of its start', () => {
  it('PHASE-92: waits with its word until whoever starts it has written that it runs', async () => {
    const [phase = ''] = await stage.plan('Design Phase');
    await stage.s.with(async (opened) => {
      const { run, release, started } = await begun(opened, phase, opened.ports.process.owner);
      const said = stage.completes(run.display);
      const first = await Promise.race([said.then(why), wait(2_000, 'it waits')]);
      expect(first).toBe('it waits');
      release();
      expect(await started).toBe(`started as ${run.display}`);
      expect(why(await said)).toBe('done');
      const moves = await movesOf(stage, run.display);
      expect(moves.map(({ command }) => command)).toEqual(['start', 'started', 'complete']);
    });
  });

  it('PHASE-92: records its start itself where whoever started it is dead', async () => {
    const [phase = ''] = await stage.plan('Design Phase');
    await stage.s.with(async (opened) => {
      const [host = ''] = opened.ports.process.owner.split(':');
      const { run, release, started } = await begun(opened, phase, `${host}:999999999:1`);
      expect(why(await stage.completes(run.display))).toBe('done');
      const moves = await movesOf(stage, run.display);
      expect(moves.map(({ command }) => command)).toEqual(['start', 'started', 'complete']);
      release();
      expect(await started).toBe('');
    });
  });
});
